import { Injectable } from '@nestjs/common';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { AppError } from '../lib/app-error.js';
import { storable } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import { type JobCount, JobNumbers } from './job-numbers.service.js';
import { KindPausesRepository } from './kind-pauses.repository.js';
import { WakeUp } from './wake-up.js';

const MAX_REASON = 500;

/** Whole kinds of jobs, stopped and let go on. What runs goes on; what is due waits, in every process within a poll. */
@Injectable()
export class KindPauses {
  constructor(
    private readonly pauses: KindPausesRepository,
    private readonly numbers: JobNumbers,
    private readonly log: AuditLog,
    private readonly transactions: Transactions,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Paused already, it keeps its first reason. @throws AppError `job-kind-unknown`, `reason-needed` */
  async pause(actor: Actor, kind: string, reason: string): Promise<JobCount> {
    await this.countOf(kind);
    const told = storable(reason.trim(), MAX_REASON);
    if (told === '') {
      throw new AppError('reason-needed', 'Say why it is paused, for whoever finds it paused.', { status: 400 });
    }
    await this.transactions.run(async (tx) => {
      if (!(await this.pauses.add(tx, kind, storable(actor.name), told))) return;
      await this.log.record(tx, actor, { action: 'job_kind.paused', entity: 'job_kind', entityId: kind, detail: told });
    });
    return this.countOf(kind);
  }

  /** @throws AppError `job-kind-unknown` */
  async resume(actor: Actor, kind: string): Promise<JobCount> {
    await this.countOf(kind);
    await this.transactions.run(async (tx) => {
      if (!(await this.pauses.remove(tx, kind))) return;
      await this.log.record(tx, actor, { action: 'job_kind.resumed', entity: 'job_kind', entityId: kind });
    });
    this.wakeUp.announce();
    return this.countOf(kind);
  }

  private async countOf(kind: string): Promise<JobCount> {
    const counts = await this.numbers.counts();
    const found = counts.find((count) => count.kind === kind);
    if (found !== undefined) return found;
    const known = counts.map((count) => count.kind).join(', ');
    throw new AppError('job-kind-unknown', `There are no jobs of that kind. Kinds are: ${known}.`, { status: 404 });
  }
}
