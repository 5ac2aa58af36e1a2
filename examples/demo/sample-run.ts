import type { BrandRecords, UpdateRecord } from './archive-client.js';
import { differenceOf, endingOf, type Expectation, type Stage, STORIES, type Story } from './scenario.js';

/** An expectation, and what came of it. */
export interface Checked {
  ending: string;
  brand: string;
  subject: string;
  story: string;
  came: boolean;
  /** Why it counts as missing. */
  problem?: string;
}

export interface SampleResult {
  ok: boolean;
  expected: Checked[];
  /** What went wrong in a story beside its records. */
  problems: string[];
  /** The update records of every brand, and those of street style, as GraphQL lists them. */
  brands: BrandRecords[];
  streetStyle: UpdateRecord[];
  /** A picture that everybody may see. */
  publishedPicture: string | undefined;
}

interface Played {
  story: Story;
  records: UpdateRecord[];
  problem?: string;
}

const STREET_STYLE = 'Street style';

/** Plays all stories at once and says what came of each expectation. @param progress one line a record, as it comes */
export async function runSample(stage: Stage, progress: (line: string) => void): Promise<SampleResult> {
  const total = STORIES.reduce((sum, { expects }) => sum + expects.length, 0);
  let count = 0;
  const told = (story: Story, record: UpdateRecord): void => {
    const show = `${brandOf(story.expects[0])} · ${record.subject}`;
    progress(`${String(++count).padStart(3)}/${total}  ${endingOf(record).padEnd(20)}  ${show}`);
  };
  const played = await Promise.all(STORIES.map((story) => play(story, stage, (record) => told(story, record))));
  const brands = await stage.archive.recordsOfBrands();
  const streetStyle = await stage.archive.streetStyleRecords();
  const listed = new Map([
    ...brands.map(({ brand, records }): [string, UpdateRecord[]] => [brand.name, records]),
    [STREET_STYLE, streetStyle],
  ]);
  const expected = played.flatMap(({ story, records }) => {
    return story.expects.map((expectation, index) => check(story, expectation, records[index], listed));
  });
  const problems = played.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const published = played.flatMap(({ records }) => records).find(({ note }) => note?.includes('status=published'));
  return {
    ok: problems.length === 0 && expected.every(({ came }) => came),
    expected,
    problems,
    brands,
    streetStyle,
    publishedPicture: published?.galleryId ? await stage.archive.coverUrl(published.galleryId) : undefined,
  };
}

async function play(story: Story, stage: Stage, told: (record: UpdateRecord) => void): Promise<Played> {
  const records: UpdateRecord[] = [];
  try {
    await story.play(stage, (record) => {
      records.push(record);
      told(record);
    });
    return { story, records };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { story, records, problem: `${brandOf(story.expects[0])}, ${story.title}: ${why}` };
  }
}

function check(
  story: Story,
  expectation: Expectation,
  record: UpdateRecord | undefined,
  listed: ReadonlyMap<string, readonly UpdateRecord[]>,
): Checked {
  const brand = brandOf(expectation);
  const there = listed.get(brand)?.some(({ id }) => id === record?.id);
  const problem = differenceOf(expectation, record) ?? (there ? undefined : `is not among the records of ${brand}`);
  return {
    ending: expectation.ending,
    brand,
    subject: expectation.show.reads,
    story: story.title,
    came: problem === undefined,
    ...(problem !== undefined && { problem }),
  };
}

/** How many of the expected outcomes came, in one line. */
export function verdictOf(expected: readonly Checked[]): string {
  const came = expected.filter((one) => one.came).map(({ ending }) => ending);
  const counts = [...new Set(came)].map((ending) => `${came.filter((one) => one === ending).length} × ${ending}`);
  return `${came.length} of ${expected.length} expected outcomes came: ${counts.join(', ')}.`;
}

/** What is missing, and what else went wrong, a line each. */
export function complaintsOf({ expected, problems }: SampleResult): string[] {
  const missing = expected.filter(({ came }) => !came);
  return [
    ...missing.map(({ ending, brand, subject, story, problem }) => {
      return `MISSING  ${ending} of ${brand}, ${subject} (${story}): ${problem ?? ''}`;
    }),
    ...problems.map((problem) => `PROBLEM  ${problem}`),
  ];
}

function brandOf(expectation: Expectation | undefined): string {
  return expectation === undefined ? 'The door' : (expectation.show.brand ?? STREET_STYLE);
}
