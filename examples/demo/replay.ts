import PQueue from 'p-queue';
import type { ArchiveClient, UpdateRecord } from './archive-client.js';
import { type IntakeClient, refusalOf } from './intake-client.js';
import type { PictureOrigin } from './picture-origin.js';
import { brandNameOf, missingBrands, type Payload, prepared, type UnreadableLine } from './replay-payloads.js';
import { wordsOf } from './scenario.js';

export interface ReplayStage {
  intake: IntakeClient;
  archive: ArchiveClient;
  origin: PictureOrigin;
  importBrands: (brands: readonly object[]) => Promise<void>;
}

export interface ReplayedRecord {
  line: number;
  /** As the file names it. */
  brand: string;
  record: UpdateRecord;
}

export interface ReplayResult {
  /** Every line was taken, and every job ended well. */
  ok: boolean;
  payloads: number;
  brandsMade: number;
  outcomes: Record<string, number>;
  picturesSent: number;
  picturesFetched: number;
  leftOut: { railCovers: number; foreignCovers: number; duplicates: number };
  problems: string[];
  records: ReplayedRecord[];
}

const POSTS_AT_ONCE = 8;
const PROGRESS_EVERY = 8;

/** Posts every body of a file, waits for its jobs, and counts what became of them. */
export async function runReplay(
  { payloads, unreadable }: { payloads: readonly Payload[]; unreadable: readonly UnreadableLine[] },
  stage: ReplayStage,
  progress: (line: string) => void,
): Promise<ReplayResult> {
  const missing = missingBrands(
    payloads,
    (await stage.archive.brands()).flatMap(({ names }) => names),
  );
  if (missing.length > 0) {
    await stage.importBrands(missing.map((name) => ({ name })));
    progress(`Brands made: ${missing.length}`);
  }
  const problems = unreadable.map(({ line, problem }) => `Line ${line} ${problem}`);
  const records: ReplayedRecord[] = [];
  const posting = new PQueue({ concurrency: POSTS_AT_ONCE });
  await Promise.all(
    payloads.map(async (payload) => {
      const { line, body } = payload;
      const message = prepared(payload, stage.origin.url(''));
      const answer = await posting.add(() => stage.intake.post(message));
      const { status, body: receipt } = answer;
      if (status !== 202 || receipt.job_id === undefined) {
        problems.push(`Line ${line} was turned away: ${refusalOf(answer)}`);
        return;
      }
      const record = await stage.archive.ended(receipt.job_id);
      records.push({ line, brand: brandNameOf(body.data) ?? 'Street style', record });
      if (record.status === 'failed') problems.push(`Line ${line}, job ${record.id} failed: ${wordsOf(record)}`);
      if (records.length % PROGRESS_EVERY === 0 || records.length === payloads.length) {
        progress(`${records.length}/${payloads.length} shows, ${stage.origin.total} pictures fetched`);
      }
    }),
  );
  records.sort((one, other) => one.line - other.line);
  return {
    ok: problems.length === 0,
    payloads: payloads.length,
    brandsMade: missing.length,
    outcomes: countBy(records.map(({ record }) => record.outcome ?? record.status)),
    picturesSent: payloads.reduce((sum, { body }) => sum + lengthOf(body.data['images']), 0),
    picturesFetched: stage.origin.total,
    leftOut: leftOutOf(records.map(({ record }) => record.note ?? '')),
    problems,
    records,
  };
}

/** What a replay came to, a line each. */
export function summaryOf({ payloads, outcomes, picturesSent, picturesFetched, leftOut }: ReplayResult): string[] {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  const { railCovers, foreignCovers, duplicates } = leftOut;
  const left = `${railCovers} covers of the season, ${foreignCovers} covers of other seasons and ${duplicates} duplicates`;
  return [
    `${payloads} payloads: ${counts.join(', ') || 'nothing'}.`,
    picturesFetched === 0
      ? `${picturesSent} pictures sent, none fetched.`
      : `${picturesSent} pictures sent, ${picturesFetched} fetched; ${left} left out.`,
  ];
}

/** What the notes say was left out, all together. */
export function leftOutOf(notes: readonly string[]): ReplayResult['leftOut'] {
  const sum = (what: string): number =>
    notes.reduce((total, note) => total + Number(new RegExp(`略去 (\\d+) 张${what}`).exec(note)?.[1] ?? 0), 0);
  return { railCovers: sum('本季封面'), foreignCovers: sum('其他场次封面'), duplicates: sum('重复') };
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
