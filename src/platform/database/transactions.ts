import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { CONFIG, type Config, type StatementLimits } from '../config/config.js';
import { cutConnection } from './cut-connection.js';
import { isConnectionLoss, isReadTimeout, isTransient } from './pg-errors.js';

export interface TransactionOptions<T> {
  /** How often the whole transaction is tried. */
  tries?: number;
  /**
   * Asked when the connection broke while the commit was under way: gives the result if the database shows that it was
   * done, undefined if it shows that it was not. Without it such a break is an {@link UnknownCommitError}.
   */
  wasCommitted?: () => Promise<T | undefined>;
}

/** The connection broke during COMMIT and nobody could say whether it was done. */
export class UnknownCommitError extends Error {
  constructor(cause: unknown) {
    super('The database went away during a commit, so nobody knows whether it was done', { cause });
    this.name = 'UnknownCommitError';
  }
}

/**
 * Short transactions with time limits, tried again as a whole when the database says that this helps. Only the
 * outermost caller uses it: a part of a transaction cannot be retried on its own.
 */
@Injectable()
export class Transactions {
  private readonly limits: string;
  private readonly briefLimits: string;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) config: Config,
  ) {
    this.limits = limitsOf(config.database);
    this.briefLimits = limitsOf(config.database.brief);
  }

  /** @throws whatever `work` throws when another try is no use; {@link UnknownCommitError} */
  run<T>(work: (tx: EntityManager) => Promise<T>, options: TransactionOptions<T> = {}): Promise<T> {
    return this.runWithin(this.limits, work, options);
  }

  /** As {@link run}, with the short limits of work that a crawler waits for. Statements that only read need them too. */
  runBrief<T>(work: (tx: EntityManager) => Promise<T>, options: TransactionOptions<T> = {}): Promise<T> {
    return this.runWithin(this.briefLimits, work, { tries: 2, ...options });
  }

  private async runWithin<T>(
    limits: string,
    work: (tx: EntityManager) => Promise<T>,
    options: TransactionOptions<T>,
  ): Promise<T> {
    const tries = options.tries ?? 5;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.tryOnce(limits, work);
      if ('result' in outcome) return outcome.result;
      if (outcome.committing && isConnectionLoss(outcome.error)) {
        if (options.wasCommitted === undefined) throw new UnknownCommitError(outcome.error);
        const found = await untilReachable(options.wasCommitted);
        if (found !== undefined) return found;
      }
      if (!isTransient(outcome.error) || attempt >= tries) throw outcome.error;
      await delay(20 * 2 ** attempt * (0.5 + Math.random()));
    }
  }

  private async tryOnce<T>(
    limits: string,
    work: (tx: EntityManager) => Promise<T>,
  ): Promise<{ result: T } | { error: unknown; committing: boolean }> {
    const runner = this.dataSource.createQueryRunner();
    let committing = false;
    try {
      await runner.startTransaction();
      await runner.query(limits);
      const result = await work(runner.manager);
      committing = true;
      await runner.commitTransaction();
      return { result };
    } catch (error) {
      // The server has limits of its own and the client's is longer: a read that times out has nobody at the other end.
      if (isReadTimeout(error)) cutConnection((await runner.connect()) as pg.PoolClient);
      else if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      return { error, committing };
    } finally {
      await runner.release();
    }
  }
}

/** SET LOCAL, since a pooler in transaction mode hands the session to others afterwards. */
function limitsOf({ statementTimeoutMs, lockTimeoutMs }: StatementLimits): string {
  return `SET LOCAL statement_timeout = ${statementTimeoutMs}; SET LOCAL lock_timeout = ${lockTimeoutMs}`;
}

/** The question after a lost commit is worth waiting for: the answer decides whether work is done twice. */
async function untilReachable<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!isConnectionLoss(error) || attempt >= 8) throw new UnknownCommitError(error);
      await delay(50 * 2 ** attempt);
    }
  }
}
