import { parseArgs } from 'node:util';

export interface DemoArgs {
  /** End by itself, with an exit code that says whether all came as expected. */
  once: boolean;
  /** One JSON object on stdout and nothing else there. */
  json: boolean;
  /** A file of intake bodies to replay, as it was given; undefined: the sample crawl. */
  payloads: string | undefined;
}

/** What was asked for cannot be done, said to whoever asked. */
export class UsageError extends Error {}

export const USAGE = `Usage:
  npm run demo                                  the sample crawl on a fresh .data/demo; stays up until Ctrl-C
  npm run demo -- --once                        ends by itself; exit 0 only if every expected outcome came
  npm run demo -- --once --json                 one JSON object with the records on stdout, and nothing else there
  npm run demo -- [--once] --payloads FILE.jsonl
                                                replays a file of intake bodies, one a line, on .data/replay (or DATA_DIR),
                                                which is kept from run to run; exit 0 when every job ended well
PORT chooses the server's port; without it 8092, or a free one when that is taken. npm itself prints two lines on stdout
before it runs anything: "npm run --silent demo -- --once --json" leaves the object alone there.
`;

/** @returns undefined when help was asked for. @throws UsageError */
export function readDemoArgs(args: readonly string[]): DemoArgs | undefined {
  const { once, json, payloads, help } = parsed([...args]);
  if (help) return undefined;
  if (payloads?.trim() === '') throw new UsageError('--payloads needs the name of a file.');
  if (json && !once) throw new UsageError('--json goes with --once: what stays up never ends its one object.');
  return { once, json, payloads };
}

function parsed(args: string[]): DemoArgs & { help: boolean } {
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        payloads: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return { once: values.once, json: values.json, payloads: values.payloads, help: values.help };
  } catch (error) {
    // The parser's own sentence names the flag; what it adds about positional arguments helps nobody here.
    const sentence = (error instanceof Error ? error.message : String(error)).split('. ')[0] ?? '';
    throw new UsageError(`${sentence.replace(/\.$/, '')}.`);
  }
}
