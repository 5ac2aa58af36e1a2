import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../lib/text.js';
import type { Progress } from '../platform/progress.js';
import type { MediaVerifyService } from './media-verify.service.js';

export const VERIFY_USAGE = `Usage:
  npm run media:verify                   reads every picture back and compares it; goes on where the last one was stopped
  npm run media:verify -- --from-start   begins anew
  npm run media:verify -- --after KEY    begins behind this key`;

/** What is found is told while it goes on; for the sum of a run that was stopped in between. */
interface Place {
  after: string;
  done: number;
  damaged: number;
}

const START: Place = { after: '', done: 0, damaged: 0 };

/** `npm run media:verify`. @returns the exit code: 0 all is well, 1 something is not, 2 not understood */
export async function runMediaVerifyCommand(
  args: readonly string[],
  { service, dataDir }: { service: Pick<MediaVerifyService, 'run'>; dataDir: string },
  out: { print: (line: string) => void; remark: (line: string) => void; progress: Progress },
): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    out.remark(`${options}\n${VERIFY_USAGE}`);
    return 2;
  }
  const file = join(dataDir, 'media-verify.json');
  const from =
    options.after !== undefined ? { ...START, after: options.after } : await placeIn(file, options.fromStart);
  if (from.done > 0) out.remark(`Going on behind ${from.after}; --from-start begins anew.`);
  let { damaged } = from;
  const { done } = await service.run(from.after, {
    damaged: ({ key, galleryId, position, sha256 }, damage) => {
      damaged++;
      out.progress.clear();
      const what = damage.what === 'gone' ? 'is gone' : `has sha256 ${damage.sha256} instead of ${sha256}`;
      out.print(`${key}, picture ${position} of gallery ${galleryId}, ${what}`);
    },
    reached: async (after, sofar, total) => {
      await keep(file, { after, done: from.done + sofar, damaged });
      out.progress.show('pictures', from.done + sofar, from.done + total);
    },
  });
  out.progress.clear();
  await rm(file, { force: true });
  out.print(`${from.done + done} pictures compared, ${damaged} damaged`);
  return damaged > 0 ? 1 : 0;
}

/** @returns in words what is wrong with them */
function readOptions(args: readonly string[]): { after: string | undefined; fromStart: boolean } | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { after: { type: 'string' }, 'from-start': { type: 'boolean', default: false } },
    });
    return { after: values.after, fromStart: values['from-start'] };
  } catch (error) {
    return messageOf(error);
  }
}

/** A file that nobody can read means no more than none: all is looked at. */
async function placeIn(file: string, fromStart: boolean): Promise<Place> {
  if (fromStart) return START;
  try {
    const place = JSON.parse(await readFile(file, 'utf8')) as Partial<Place>;
    const { after, done, damaged } = place;
    return typeof after === 'string' && Number.isSafeInteger(done) && Number.isSafeInteger(damaged)
      ? (place as Place)
      : START;
  } catch {
    return START;
  }
}

/** Whole or not at all: it is there to survive what stops us. */
async function keep(file: string, place: Place): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(place));
  await rename(`${file}.new`, file);
}
