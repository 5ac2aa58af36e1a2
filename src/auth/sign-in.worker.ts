import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { singleFlight } from '../lib/single-flight.js';
import { messageOf } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { UserSessionsRepository } from './user-sessions.repository.js';

const SWEEP_MS = 3_600_000;

/** Forgets sessions that ended, and counts of attempts whose time is over. */
@Injectable()
export class SignInWorker {
  private readonly logger = new Logger('Users');

  constructor(
    private readonly sessions: UserSessionsRepository,
    private readonly attempts: SignInAttemptsRepository,
    private readonly transactions: Transactions,
  ) {}

  @Interval(SWEEP_MS)
  async tick(): Promise<void> {
    try {
      await this.runOnce();
    } catch (error) {
      this.logger.warn(`Sessions that ended cannot be forgotten now: ${messageOf(error)}`);
    }
  }

  readonly runOnce = singleFlight(async (): Promise<{ sessions: number; attempts: number }> => ({
    sessions: await this.transactions.run((tx) => this.sessions.forgetExpired(tx)),
    attempts: await this.transactions.run((tx) => this.attempts.forgetOver(tx)),
  }));
}
