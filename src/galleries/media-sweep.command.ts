import { parseArgs } from 'node:util';
import { messageOf } from '../lib/text.js';
import type { Progress } from '../platform/progress.js';
import { type MediaSweepService, ORPHAN_DAYS, type Sweep } from './media-sweep.service.js';

const MAX_PERCENT = 1;

export const SWEEP_USAGE = `Usage:
  npm run media:sweep                    lists objects that no row names, and rows whose object is gone
  npm run media:sweep -- --delete        removes the objects, if older than ${ORPHAN_DAYS} days and no more than ${MAX_PERCENT} % of all
                      [--max-percent N]  another share, for a small store`;

/** `npm run media:sweep`. @returns the exit code: 0 all is well, 1 something is not, 2 not understood */
export async function runMediaSweepCommand(
  args: readonly string[],
  service: Pick<MediaSweepService, 'compare' | 'remove'>,
  out: { print: (line: string) => void; remark: (line: string) => void; progress: Progress },
): Promise<number> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    out.remark(`${options}\n${SWEEP_USAGE}`);
    return 2;
  }
  const { progress } = out;
  const found = (line: string): void => {
    progress.clear();
    out.print(line);
  };
  const sweep = await service.compare({
    orphan: ({ key, bytes, modifiedAt }, isOld) =>
      found(`orphan ${key} ${bytes} bytes, of ${modifiedAt.toISOString().slice(0, 10)}${isOld ? '' : ', too young'}`),
    gone: (key, { galleryId, position }) => found(`gone   ${key}, picture ${position} of gallery ${galleryId}`),
    progress: (objects) => progress.show('objects looked at', objects),
  });
  progress.clear();
  const { objects, orphans, old, gone } = sweep;
  out.print(`${objects} objects: ${orphans} that no row names, ${old.length} of them older than ${ORPHAN_DAYS} days`);
  out.print(`${gone} objects that rows name are gone`);
  if (!options.delete || old.length === 0) return gone > 0 ? 1 : 0;
  if (tooMany(sweep, options.maxPercent)) {
    const share = ((old.length / objects) * 100).toFixed(1);
    out.remark(
      `Nothing was deleted: ${share} % of all objects is more than ${options.maxPercent} %. Is this the right database? ` +
        'If it is, say --max-percent.',
    );
    return 1;
  }
  const removed = await service.remove(old, (done) => progress.show('deleted', done, old.length));
  progress.clear();
  out.print(`${removed} objects deleted`);
  return gone > 0 ? 1 : 0;
}

function tooMany({ objects, old }: Sweep, maxPercent: number): boolean {
  return old.length * 100 > objects * maxPercent;
}

/** @returns in words what is wrong with them */
function readOptions(args: readonly string[]): { delete: boolean; maxPercent: number } | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { delete: { type: 'boolean', default: false }, 'max-percent': { type: 'string' } },
    });
    const maxPercent = Number(values['max-percent'] ?? MAX_PERCENT);
    if (maxPercent > 0 && maxPercent <= 100) return { delete: values.delete, maxPercent };
    return '--max-percent is a number up to 100.';
  } catch (error) {
    return messageOf(error);
  }
}
