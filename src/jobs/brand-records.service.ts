import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BrandRecordsRepository, type Reassignment } from './brand-records.repository.js';

export type { Reassignment } from './brand-records.repository.js';

/** How many of a brand's newest failed records are looked at for {@link BrandRecords.failuresOf}. */
export const MAX_FAILURES = 1_000;

/** Whole brands as the queue sees them: a number that its rows bear. */
@Injectable()
export class BrandRecords {
  constructor(private readonly repository: BrandRecordsRepository) {}

  /** Failed records of so many seconds, {@link MAX_FAILURES} at most; brands without any are left out. */
  failuresOf(brandIds: readonly string[], seconds: number): Promise<Map<string, number>> {
    return this.repository.recentFailures(brandIds, seconds, MAX_FAILURES);
  }

  hasRecords(tx: EntityManager, brandId: string): Promise<boolean> {
    return this.repository.hasRecords(tx, brandId);
  }

  /**
   * Gives the newest of a brand's records to another one, running ones too.
   * @returns how many, and the id to go on from; no id when there was nothing left
   */
  reassign(tx: EntityManager, move: Reassignment): Promise<{ moved: number; oldest: string | undefined }> {
    return this.repository.reassign(tx, move);
  }
}
