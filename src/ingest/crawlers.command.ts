import { parseArgs } from 'node:util';
import { COMMAND_LINE } from '../auth/actor.js';
import type { CommandOutput } from '../brands/brands.command.js';
import { AppError } from '../lib/app-error.js';
import { messageOf } from '../lib/text.js';
import {
  type CrawlersService,
  type CrawlerView,
  type MadeSecret,
  MAX_OVERLAP_SECONDS,
  OVERLAP_SECONDS,
  type SecretView,
  type WhichSecrets,
} from './crawlers.service.js';

export const CRAWLERS_USAGE = `Usage:
  npm run crawler -- create NAME                         a crawler and its first secret, which is shown once
  npm run crawler -- list [--json]                       crawlers, their secrets' ids, ends and last use
  npm run crawler -- rotate NAME [--overlap HOURS]       a new secret, shown once; the old ones go on for 24 hours
  npm run crawler -- revoke NAME [--secret ID | --old]   takes all secrets away at once, or one, or all but the newest
  npm run crawler -- switch-off NAME                     its messages are answered 403 …
  npm run crawler -- switch-on NAME                      … and are taken again`;

/** Every process knows of a change when its keyring is this old. */
const EVERYWHERE = 'within 5 s in every process';

type Command = (crawlers: CrawlersService, args: string[], out: CommandOutput) => Promise<void>;

/** A way of calling that is none of ours. */
class UsageError extends Error {}

const COMMANDS: Record<string, Command> = {
  create: async (crawlers, args, out) => {
    const { name } = read(args, {});
    show(await crawlers.create(COMMAND_LINE, name), `The crawler "${name}" was made.`, out);
  },
  rotate: async (crawlers, args, out) => {
    const { name, values } = read(args, { overlap: { type: 'string' } });
    const seconds = overlapOf(values['overlap']);
    const made = await crawlers.rotate(COMMAND_LINE, name, seconds);
    show(made, `"${name}" has a new secret. Its old ones end in ${seconds / 3_600} h, or when you revoke them.`, out);
  },
  revoke: async (crawlers, args, out) => {
    const { name, values } = read(args, { secret: { type: 'string' }, old: { type: 'boolean' } });
    const revoked = await crawlers.revoke(COMMAND_LINE, name, whichOf(values));
    out.print(revoked.length === 0 ? 'Nothing to revoke' : `Revoked: ${revoked.join(', ')} (${EVERYWHERE})`);
  },
  'switch-off': async (crawlers, args, out) => {
    const { name } = read(args, {});
    await crawlers.setEnabled(COMMAND_LINE, name, false);
    out.print(`"${name}" is switched off (${EVERYWHERE}): its messages are answered 403`);
  },
  'switch-on': async (crawlers, args, out) => {
    const { name } = read(args, {});
    await crawlers.setEnabled(COMMAND_LINE, name, true);
    out.print(`"${name}" is switched on (${EVERYWHERE})`);
  },
  list: async (crawlers, args, out) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    for (const crawler of await crawlers.list()) {
      for (const line of values.json ? [JSON.stringify(crawler)] : linesOf(crawler)) out.print(line);
    }
  },
};

/** `npm run crawler`. @returns the exit code: 0 done, 1 could not be done, 2 not understood */
export async function runCrawlersCommand(
  args: readonly string[],
  crawlers: CrawlersService,
  out: CommandOutput,
): Promise<number> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    out.remark(CRAWLERS_USAGE);
    return 2;
  }
  try {
    await command(crawlers, rest, out);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE');
    if (!isUsage && !(error instanceof AppError)) throw error;
    out.remark(messageOf(error));
    if (isUsage) out.remark(CRAWLERS_USAGE);
    return isUsage ? 2 : 1;
  }
}

type Options = Record<string, { type: 'string' | 'boolean' }>;

function read(args: string[], options: Options): { name: string; values: Record<string, unknown> } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('Give the name of one crawler.');
  return { name, values };
}

function overlapOf(hours: unknown): number {
  if (typeof hours !== 'string') return OVERLAP_SECONDS;
  const seconds = Math.round(Number(hours) * 3_600);
  if (hours.trim() !== '' && seconds >= 0 && seconds <= MAX_OVERLAP_SECONDS) return seconds;
  throw new UsageError(`--overlap takes hours, from 0 to ${MAX_OVERLAP_SECONDS / 3_600}.`);
}

function whichOf({ secret, old }: Record<string, unknown>): WhichSecrets {
  if (secret !== undefined && old === true) throw new UsageError('--secret and --old are two ways: take one.');
  if (typeof secret === 'string') return { id: secret };
  return old === true ? 'old' : 'all';
}

/** The secret alone goes to stdout, so that a script can keep it. */
function show({ id, secret }: MadeSecret, what: string, out: CommandOutput): void {
  out.remark(`${what} This is its secret (id ${id}); it is not shown again:`);
  out.print(secret);
}

function linesOf({ name, enabled, secrets }: CrawlerView): string[] {
  const head = `${name}${enabled ? '' : '  (switched off)'}`;
  return [head, ...secrets.map((secret) => `  secret ${secret.id}: ${stateOf(secret)}, ${lastUseOf(secret)}`)];
}

function stateOf({ live, revokedAt, validUntil }: SecretView): string {
  if (revokedAt > 0) return `revoked ${timeOf(revokedAt)}`;
  if (validUntil === 0) return 'live';
  return `${live ? 'live until' : 'ended'} ${timeOf(validUntil)}`;
}

function lastUseOf({ lastUsedAt }: SecretView): string {
  return lastUsedAt === 0 ? 'never used' : `last used ${timeOf(lastUsedAt)}`;
}

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
