import { Injectable } from '@nestjs/common';
import type { ClaimedJob } from './job-handler.js';

/** Why the work on a job was called off. */
export type AbortReason = 'lost' | 'cancelled' | 'stopping';

export interface RunningJob {
  job: ClaimedJob;
  signal: AbortSignal;
  /** "12/45", once the handler has said so. */
  progress: string | null;
}

interface Entry extends RunningJob {
  controller: AbortController;
  ended: Promise<void>;
}

/** What this process holds just now: who works on it, and the handle to call it off. */
@Injectable()
export class RunningJobs {
  private readonly entries = new Map<string, Entry>();
  private changed = false;

  get size(): number {
    return this.entries.size;
  }

  list(): RunningJob[] {
    return [...this.entries.values()];
  }

  /** Runs `work` for a job and keeps it listed until it has ended. @returns when it is listed no more */
  track(job: ClaimedJob, work: (running: RunningJob) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const entry: Entry = { job, controller, signal: controller.signal, progress: null, ended: Promise.resolve() };
    this.entries.set(job.claimToken, entry);
    entry.ended = work(entry).finally(() => this.entries.delete(job.claimToken));
    return entry.ended;
  }

  abort(claimToken: string, reason: AbortReason): void {
    this.entries.get(claimToken)?.controller.abort(reason);
  }

  abortAll(reason: AbortReason): void {
    for (const entry of this.entries.values()) entry.controller.abort(reason);
  }

  progressed(running: RunningJob, done: number, total: number): void {
    // As long as the column: one handler's odd numbers must not cost all the others their leases.
    running.progress = `${done}/${total}`.slice(0, 32);
    this.changed = true;
  }

  /** Whether any progress was reported since the last call. */
  takeProgressed(): boolean {
    const changed = this.changed;
    this.changed = false;
    return changed;
  }

  /** Resolves when all that is listed now has ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.entries.values()].map((entry) => entry.ended));
  }
}
