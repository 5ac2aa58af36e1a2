import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock/clock.js';

/** How often an answer was given in an hour. */
export interface AnswerCount {
  /** When the hour began, unix seconds. */
  hour: number;
  /** '0' when no signature was proven. */
  crawlerId: string;
  status: number;
  /** The problem's code; `accepted`, `duplicate` or `answered`. */
  answer: string;
  count: number;
}

export interface SecretUse {
  secretId: string;
  /** Unix seconds. */
  usedAt: number;
}

const HOUR = 3_600;

/**
 * What the door did since somebody last asked: answers by the hour, and when each secret was last used. Kept in memory and
 * written now and then by TallyWorker, since a write a message would cost as much as the message; a process that is killed
 * loses what it had not written.
 */
@Injectable()
export class Tally {
  private counts = new Map<string, AnswerCount>();
  private uses = new Map<string, number>();

  constructor(private readonly clock: Clock) {}

  count(crawlerId: string, status: number, answer: string): void {
    const hour = Math.floor(this.clock.seconds() / HOUR) * HOUR;
    this.add({ hour, crawlerId, status, answer, count: 1 });
  }

  used(secretId: string): void {
    this.uses.set(secretId, this.clock.seconds());
  }

  /** Hands over what was counted, and begins anew. */
  take(): { counts: AnswerCount[]; uses: SecretUse[] } {
    const counts = [...this.counts.values()];
    const uses = [...this.uses].map(([secretId, usedAt]) => ({ secretId, usedAt }));
    this.counts = new Map();
    this.uses = new Map();
    return { counts, uses };
  }

  /** Takes back what could not be written. */
  putBack({ counts, uses }: { counts: readonly AnswerCount[]; uses: readonly SecretUse[] }): void {
    for (const count of counts) this.add(count);
    for (const { secretId, usedAt } of uses) {
      this.uses.set(secretId, Math.max(usedAt, this.uses.get(secretId) ?? 0));
    }
  }

  private add(more: AnswerCount): void {
    const key = `${more.hour}/${more.crawlerId}/${more.status}/${more.answer}`;
    const count = (this.counts.get(key)?.count ?? 0) + more.count;
    this.counts.set(key, { ...more, count });
  }
}
