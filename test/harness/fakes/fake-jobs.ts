import type { EntityManager } from 'typeorm';
import type { DeparturesRepository } from '../../../src/jobs/departures.repository.js';
import { departDone, departFailing, MAX_ATTEMPTS, type Departure } from '../../../src/jobs/ingest-job.state.js';
import type { JobStatus } from '../../../src/jobs/ingest-job.state.js';
import type { ClaimedJob, GatherContext, JobHandlerContract } from '../../../src/jobs/job-handler.js';
import type { Backlog, FinalJob, JobQueue, NewJob } from '../../../src/jobs/job-queue.js';
import type { FakeArchive, FakeTransactions } from './fake-archive.js';
import type { PublicOf } from './public-of.js';

export class FakeJobQueue implements PublicOf<JobQueue> {
  constructor(private readonly archive: FakeArchive) {}

  reserveIds(_tx: EntityManager, count: number): Promise<string[]> {
    return Promise.resolve(Array.from({ length: count }, () => this.archive.nextId()));
  }

  enqueue(_tx: EntityManager, jobs: readonly NewJob[]): Promise<string[]> {
    const rows = jobs.map((job) => ({ ...job, id: job.id ?? this.archive.nextId(), status: 'pending' as const }));
    this.archive.rows.jobs.push(...rows);
    return Promise.resolve(rows.map(({ id }) => id));
  }

  async enqueueOnce(tx: EntityManager, job: NewJob): Promise<number> {
    const { jobs } = this.archive.rows;
    if (jobs.some(({ subjectKey, status }) => subjectKey === job.subjectKey && !isFinal(status))) return 0;
    return (await this.enqueue(tx, [job])).length;
  }

  lockFinal(_tx: EntityManager, id: string): Promise<boolean> {
    const job = this.archive.rows.jobs.find((row) => row.id === id);
    return Promise.resolve(job === undefined || isFinal(job.status));
  }

  finalSince(ids: readonly string[]): Promise<FinalJob[]> {
    return Promise.resolve(this.archive.rows.jobs.filter(({ id, status }) => ids.includes(id) && isFinal(status)));
  }

  withoutBrand(kind: string, limit: number, after: string): Promise<{ id: string; payload: string }[]> {
    const rows = this.archive.rows.jobs.filter(
      (job) => job.kind === kind && job.brandId === '0' && !job.brandless && Number(job.id) > Number(after),
    );
    return Promise.resolve(rows.slice(0, limit));
  }

  assignBrands(
    _tx: EntityManager,
    rows: readonly { id: string; brandId: string; brandless: boolean }[],
  ): Promise<void> {
    for (const { id, ...brand } of rows) {
      const job = this.archive.rows.jobs.find((row) => row.id === id && row.brandId === '0');
      if (job !== undefined) Object.assign(job, brand);
    }
    return Promise.resolve();
  }

  openSubjects(keys: readonly string[]): Promise<Set<string>> {
    const open = this.archive.rows.jobs.filter(
      ({ subjectKey, status }) => keys.includes(subjectKey) && !isFinal(status),
    );
    return Promise.resolve(new Set(open.map(({ subjectKey }) => subjectKey)));
  }

  backlogs(kinds: readonly string[]): Promise<Map<string, Backlog>> {
    const depthOf = (kind: string): number =>
      this.archive.rows.jobs.filter((job) => job.kind === kind && job.status === 'pending').length;
    return Promise.resolve(new Map(kinds.map((kind) => [kind, { depth: depthOf(kind), lateSeconds: 0 }])));
  }

  announce(): void {
    // Nobody sleeps here who would have to be woken.
  }

  statusesOf(ids: readonly string[]): Promise<Map<string, JobStatus>> {
    const jobs = this.archive.rows.jobs.filter(({ id }) => ids.includes(id));
    return Promise.resolve(new Map(jobs.map(({ id, status }) => [id, status])));
  }
}

/** Records how jobs left, with outcome and note; it lets go of every job that comes. */
export class CapturingDepartures implements PublicOf<DeparturesRepository> {
  readonly departures: Departure[] = [];

  depart(departures: readonly Departure[]): Promise<Set<string>> {
    this.departures.push(...departures);
    return Promise.resolve(new Set(departures.map(({ id }) => id)));
  }

  resultOf(jobId: string, claimToken: string): Promise<string | undefined> {
    const left = this.departures.find(({ id, claimToken: token }) => id === jobId && token === claimToken);
    return Promise.resolve(left?.result);
  }

  cancel(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** Takes a claimed job through both halves of its handler, as the runner does, and tells how it left. */
export class FakeRunner {
  readonly departures = new CapturingDepartures();
  /** "3/45", as the handler reported it. */
  readonly progress: string[] = [];

  constructor(private readonly transactions: FakeTransactions) {}

  async run<P>(
    handler: JobHandlerContract<P>,
    job: ClaimedJob,
    signal = new AbortController().signal,
  ): Promise<Departure> {
    const context: GatherContext = { signal, progress: (done, total) => this.progress.push(`${done}/${total}`) };
    try {
      const plan = await handler.gather(job, context);
      await this.transactions.run(async (tx) =>
        this.departures.depart([departDone(job, await handler.commit(plan, tx, job))]),
      );
    } catch (error) {
      await this.departures.depart([departFailing(job, error, 30)]);
    }
    const left = this.departures.departures.at(-1);
    if (left === undefined) throw new Error(`Job ${job.id} did not leave`);
    return left;
  }
}

let claims = 0;

/** A job as it was just claimed, by nobody else ever. */
export function claimedJob(over: Partial<ClaimedJob> = {}): ClaimedJob {
  const attempt = over.attempt ?? 1;
  return {
    id: '1000',
    kind: 'crawl',
    payload: '{}',
    overrides: null,
    brandId: '0',
    galleryId: null,
    subject: '',
    submittedBy: 'dev',
    attempt,
    isLastAttempt: attempt >= MAX_ATTEMPTS,
    claimToken: String(++claims),
    createdAt: 1_770_000_000,
    claimedAt: 1_770_000_000,
    snoozedSince: 0,
    ...over,
  };
}

function isFinal(status: JobStatus): boolean {
  return status === 'done' || status === 'failed';
}
