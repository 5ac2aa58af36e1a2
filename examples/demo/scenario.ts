import type { ArchiveClient, UpdateRecord } from './archive-client.js';
import { type IntakeAnswer, type IntakeClient, newMessageId, refusalOf } from './intake-client.js';
import { lookPath, messageOf, type SampleShow, SHOWS } from './sample-crawl.js';
import type { PictureOrigin } from './picture-origin.js';

/** How an update ended, as the demo tells them apart: two of them are in a record's attempts and not in its outcome. */
export type Ending =
  | 'created'
  | 'reused_rejected'
  | 'skipped_existing'
  | 'skipped_deleted'
  | 'cleaned'
  | 'noop'
  | 'failed'
  | 'retried-then-created';

export interface Expectation {
  ending: Ending;
  show: SampleShow;
  /** What the record's note or error has to say. */
  says?: string;
}

/** One thing that can happen to a show, from its crawl on. Stories do not touch each other, so all are played at once. */
export interface Story {
  title: string;
  /** The records that have to come, in this order. */
  expects: Expectation[];
  /** @param came called with each record as it comes. @throws Error saying what did not go as it should */
  play(stage: Stage, came: (record: UpdateRecord) => void): Promise<void>;
}

export interface Stage {
  intake: IntakeClient;
  /** The same crawler with a secret that is not its own. */
  impostor: IntakeClient;
  archive: ArchiveClient;
  origin: PictureOrigin;
}

/** The 503s and 429s of a host would make the archive leave it alone for a minute; a 500 only fails. */
const BROKEN = 500;

export const STORIES: readonly Story[] = [
  {
    title: 'published, then crawled again',
    expects: [
      { ending: 'created', show: SHOWS.crawledTwice, says: '新建 8 张图;略去 1 张本季封面;略去 2 张其他场次封面' },
      { ending: 'skipped_existing', show: SHOWS.crawledTwice, says: 'status=published' },
    ],
    async play({ intake, archive, origin }, came) {
      const message = messageOf(SHOWS.crawledTwice, (path) => origin.url(path));
      const id = newMessageId();
      const first = await archive.ended(await intake.submit(message, id));
      came(first);
      const repeated = await intake.post(message, id);
      if (!repeated.body.duplicate || repeated.body.job_id !== first.id) {
        throw new Error(`The same message twice was to be one job, and was: ${JSON.stringify(repeated.body)}`);
      }
      await archive.publish(galleryOf(first));
      came(await archive.ended(await intake.submit(message)));
    },
  },
  ...[SHOWS.french, SHOWS.chineseCouture, SHOWS.cruise, SHOWS.nameTrap, SHOWS.bridal, SHOWS.street].map(simply),
  {
    title: 'another show under the same guessed category',
    expects: [
      { ending: 'created', show: SHOWS.guessed },
      { ending: 'skipped_existing', show: SHOWS.guessed, says: '可能是另一场' },
    ],
    async play(stage, came) {
      came(await crawl(stage, SHOWS.guessed));
      const doubtful = await crawl(stage, { ...SHOWS.guessed, folder: `${SHOWS.guessed.folder}-other` });
      came(doubtful);
      if (!doubtful.suspect) throw new Error('The skipped show was to be marked as suspect');
    },
  },
  {
    title: 'one picture missing, the gallery made all the same',
    expects: [{ ending: 'created', show: SHOWS.partial, says: '5/6' }],
    async play(stage, came) {
      stage.origin.behave(lookPath(SHOWS.partial, 4), { do: 'status', code: 404 });
      came(await crawl(stage, SHOWS.partial));
    },
  },
  {
    title: 'a picture host that needs a second try',
    expects: [{ ending: 'retried-then-created', show: SHOWS.shakyHost }],
    async play(stage, came) {
      stage.origin.behave(`/${SHOWS.shakyHost.folder}/`, { do: 'fail', times: 1, code: BROKEN });
      came(await crawl(stage, SHOWS.shakyHost));
    },
  },
  {
    title: 'a picture host that stays broken',
    expects: [{ ending: 'failed', show: SHOWS.brokenHost, says: `http_${BROKEN}` }],
    async play(stage, came) {
      stage.origin.behave(`/${SHOWS.brokenHost.folder}/`, { do: 'status', code: BROKEN });
      came(await crawl(stage, SHOWS.brokenHost));
    },
  },
  {
    title: 'failed, and retried by an editor once the host was mended',
    expects: [
      { ending: 'failed', show: SHOWS.mendedHost },
      { ending: 'retried-then-created', show: SHOWS.mendedHost },
    ],
    async play(stage, came) {
      stage.origin.behave(`/${SHOWS.mendedHost.folder}/`, { do: 'fail', times: 3, code: BROKEN });
      const failed = await crawl(stage, SHOWS.mendedHost);
      came(failed);
      await stage.archive.retry(failed.id);
      came(await stage.archive.ended(failed.id));
    },
  },
  {
    title: 'rejected, crawled again, the old files cleaned up',
    expects: [
      { ending: 'created', show: SHOWS.rejected },
      { ending: 'reused_rejected', show: SHOWS.rejected, says: '6 张图' },
      { ending: 'cleaned', show: SHOWS.rejected, says: '清理 4 个文件' },
    ],
    async play(stage, came) {
      const first = await crawl(stage, SHOWS.rejected);
      came(first);
      await stage.archive.reject(galleryOf(first), '缺少两套造型');
      came(await crawl(stage, { ...SHOWS.rejected, looks: 6 }));
      came(await stage.archive.cleanUpOf(galleryOf(first)));
    },
  },
  {
    title: 'deleted for good',
    expects: [
      { ending: 'created', show: SHOWS.deleted },
      { ending: 'cleaned', show: SHOWS.deleted, says: '清理 4 个文件' },
      { ending: 'skipped_deleted', show: SHOWS.deleted },
    ],
    async play(stage, came) {
      const first = await crawl(stage, SHOWS.deleted);
      came(first);
      await stage.archive.delete(galleryOf(first));
      came(await stage.archive.cleanUpOf(galleryOf(first)));
      came(await crawl(stage, SHOWS.deleted));
    },
  },
  {
    title: 'deleted by mistake and restored in time',
    expects: [
      { ending: 'created', show: SHOWS.chinese },
      { ending: 'noop', show: SHOWS.chinese, says: '已恢复' },
    ],
    async play(stage, came) {
      const first = await crawl(stage, SHOWS.chinese);
      came(first);
      await stage.archive.deleteAndRestore(galleryOf(first));
      came(await stage.archive.cleanUpOf(galleryOf(first)));
    },
  },
  {
    title: 'turned away at the door',
    expects: [],
    async play({ intake, impostor, origin }) {
      const message = messageOf({ ...SHOWS.bridal, sentAs: 'Marbel Couture' }, (path) => origin.url(path));
      assertRefused(await intake.post(message), 422, 'brand-unknown');
      assertRefused(await impostor.post(message), 401, 'signature-mismatch');
    },
  },
];

/** A show that is crawled once, and nothing happens to it. */
function simply(show: SampleShow): Story {
  return {
    title: 'crawled',
    expects: [{ ending: 'created', show }],
    play: async (stage, came) => came(await crawl(stage, show)),
  };
}

async function crawl({ intake, archive, origin }: Stage, show: SampleShow): Promise<UpdateRecord> {
  return archive.ended(await intake.submit(messageOf(show, (path) => origin.url(path))));
}

function galleryOf(record: UpdateRecord): string {
  if (record.galleryId !== null) return record.galleryId;
  throw new Error(`Job ${record.id} was to make a gallery, and is ${endingOf(record)}: ${wordsOf(record)}`);
}

function assertRefused(answer: IntakeAnswer, status: number, code: string): void {
  if (answer.status === status && answer.body.type?.endsWith(`:${code}`)) return;
  throw new Error(`The door was to answer ${status} ${code}, and answered ${refusalOf(answer)}`);
}

/** How a record ended. A failure counts as one only after its three attempts. */
export function endingOf({ status, outcome, attemptHistory }: UpdateRecord): string {
  const results = attemptHistory.map(({ result }) => result);
  if (status === 'failed') {
    return results.slice(-3).join() === 'retry,retry,failed' ? 'failed' : `failed after ${results.length} attempts`;
  }
  const retried = results.includes('retry') || results.includes('failed');
  return outcome === 'created' && retried ? 'retried-then-created' : (outcome ?? status);
}

/** What a record says: its note when it is done, else its error. */
export function wordsOf({ status, note, errorCode, lastError }: UpdateRecord): string {
  return status === 'done' ? (note ?? '') : [errorCode, lastError].filter(Boolean).join(': ');
}

/** What is wrong with a record that came for an expectation; undefined when it is as expected. */
export function differenceOf(expected: Expectation, record: UpdateRecord | undefined): string | undefined {
  if (record === undefined) return 'did not come';
  const ending = endingOf(record);
  const words = wordsOf(record);
  if (ending !== expected.ending) return `came as ${ending} (${words})`;
  if (record.subject !== expected.show.reads) return `was read as "${record.subject}"`;
  if (expected.says !== undefined && !words.includes(expected.says)) return `says "${words}", not "${expected.says}"`;
  return undefined;
}
