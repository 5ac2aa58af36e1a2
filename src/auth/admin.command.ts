import { parseArgs } from 'node:util';
import { AppError } from '../lib/app-error.js';
import { messageOf } from '../lib/text.js';
import { ACTOR_ROLES, type ActorRole, COMMAND_LINE } from './actor.js';
import type { UsersService, UserView, UserWithPassword } from './users.service.js';

/** Where a command writes, and what it reads a given password from. */
export interface AdminCommandIo {
  print(line: string): void;
  remark(line: string): void;
  /** All of stdin. */
  input(): Promise<string>;
}

export const ADMIN_USAGE = `Usage:
  npm run admin -- create-user NAME [--role viewer|editor|operator] [--password-stdin]   viewer unless said otherwise
  npm run admin -- reset-password NAME [--password-stdin]   a new password; signs the user out everywhere
  npm run admin -- set-role NAME --role viewer|editor|operator
  npm run admin -- disable NAME                             signed out everywhere, and let in no more …
  npm run admin -- enable NAME                              … and let in again
  npm run admin -- list [--json]
A password that is made is shown once. With --password-stdin it is read from stdin.`;

type Command = (users: UsersService, args: string[], io: AdminCommandIo) => Promise<void>;

/** A way of calling that is none of ours. */
class UsageError extends Error {}

const ROLE = { role: { type: 'string' } } as const;
const PASSWORD = { 'password-stdin': { type: 'boolean' } } as const;

const COMMANDS: Record<string, Command> = {
  'create-user': async (users, args, io) => {
    const { name, values } = read(args, { ...ROLE, ...PASSWORD });
    const role = roleOf(values['role'] ?? 'viewer');
    show(await users.create(COMMAND_LINE, name, role, await passwordOf(values, io)), `was made, as ${role}`, io);
  },
  'reset-password': async (users, args, io) => {
    const { name, values } = read(args, PASSWORD);
    const id = await users.idOf(name);
    const reset = await users.resetPassword(COMMAND_LINE, id, await passwordOf(values, io));
    show(reset, 'has a new password and is signed out everywhere', io);
  },
  'set-role': async (users, args, io) => {
    const { name, values } = read(args, ROLE);
    const role = roleOf(values['role']);
    const user = await users.setRole(COMMAND_LINE, await users.idOf(name), role);
    io.print(`"${user.name}" is ${role} now`);
  },
  disable: async (users, args, io) => {
    const { name } = read(args, {});
    const user = await users.setEnabled(COMMAND_LINE, await users.idOf(name), false);
    io.print(`"${user.name}" is disabled`);
  },
  enable: async (users, args, io) => {
    const { name } = read(args, {});
    const user = await users.setEnabled(COMMAND_LINE, await users.idOf(name), true);
    io.print(`"${user.name}" is enabled`);
  },
  list: async (users, args, io) => {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    for (const user of await users.list()) io.print(values.json ? JSON.stringify(user) : lineOf(user));
  },
};

/** `npm run admin`. @returns the exit code: 0 done, 1 could not be done, 2 not understood */
export async function runAdminCommand(
  args: readonly string[],
  users: UsersService,
  io: AdminCommandIo,
): Promise<number> {
  const [name = '', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    io.remark(ADMIN_USAGE);
    return 2;
  }
  try {
    await command(users, rest, io);
    return 0;
  } catch (error) {
    const isUsage = error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE');
    if (!isUsage && !(error instanceof AppError)) throw error;
    io.remark(messageOf(error));
    if (isUsage) io.remark(ADMIN_USAGE);
    return isUsage ? 2 : 1;
  }
}

type Options = Record<string, { type: 'string' | 'boolean' }>;

function read(args: string[], options: Options): { name: string; values: Record<string, unknown> } {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('Give the name of one user.');
  return { name, values };
}

function roleOf(text: unknown): ActorRole {
  const role = ACTOR_ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  throw new UsageError(`--role is one of ${ACTOR_ROLES.join(', ')}.`);
}

/** A line's end belongs to the shell that piped it, and not to the password. */
async function passwordOf(values: Record<string, unknown>, io: AdminCommandIo): Promise<string | undefined> {
  return values['password-stdin'] === true ? (await io.input()).replace(/\r?\n$/, '') : undefined;
}

/** The password alone goes to stdout, so that a script can keep it. */
function show({ user, password }: UserWithPassword, what: string, io: AdminCommandIo): void {
  io.remark(`"${user.name}" ${what}.`);
  if (password === null) return;
  io.remark('This is the password; it is not shown again:');
  io.print(password);
}

function lineOf({ id, name, role, enabled, lastSeenAt }: UserView): string {
  const seen = lastSeenAt === null ? 'not seen lately' : `last seen ${timeOf(lastSeenAt)}`;
  return `${name}  (${id}, ${role}${enabled ? '' : ', disabled'}, ${seen})`;
}

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
