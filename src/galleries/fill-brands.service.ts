import { Injectable } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import { JobQueue } from '../jobs/job-queue.js';
import { AppError } from '../lib/app-error.js';
import { messageOf } from '../lib/text.js';
import { Transactions } from '../platform/database/transactions.js';
import type { BrandReference } from '../platform/intake/intake-type.js';
import { brandOfStored } from './stored-payload.js';

export interface FillCounts {
  looked: number;
  filled: number;
  brandless: number;
  /** Rows that name no brand we know: id, and why. */
  unknown: { id: string; why: string }[];
}

const BATCH = 200;

/** Gives rows from before the brand column the brand that their payload names. */
@Injectable()
export class FillBrandsService {
  constructor(
    private readonly queue: JobQueue,
    private readonly brands: BrandsService,
    private readonly transactions: Transactions,
  ) {}

  /** In small batches, so that a live queue is never held up. @param progress after each batch */
  async run(progress: (counts: FillCounts) => void): Promise<FillCounts> {
    const counts: FillCounts = { looked: 0, filled: 0, brandless: 0, unknown: [] };
    for (let after = '0'; ;) {
      const rows = await this.queue.withoutBrand('crawl', BATCH, after);
      const found: { id: string; brandId: string; brandless: boolean }[] = [];
      for (const row of rows) {
        const answer = await this.brandOf(row.payload);
        if (typeof answer === 'string') counts.unknown.push({ id: row.id, why: answer });
        else found.push({ id: row.id, ...answer });
      }
      if (found.length > 0) await this.transactions.run((tx) => this.queue.assignBrands(tx, found));
      counts.looked += rows.length;
      counts.brandless += found.filter((row) => row.brandless).length;
      counts.filled += found.filter((row) => !row.brandless).length;
      progress(counts);
      const last = rows.at(-1);
      if (last === undefined || rows.length < BATCH) return counts;
      after = last.id;
    }
  }

  /** @returns the brand, or in words why there is none */
  private async brandOf(payload: string): Promise<{ brandId: string; brandless: boolean } | string> {
    let named: BrandReference | null;
    try {
      named = brandOfStored(payload);
    } catch (error) {
      return messageOf(error);
    }
    if (named === null) return { brandId: '0', brandless: true };
    if (Object.keys(named).length === 0) return 'names no brand';
    try {
      return { brandId: (await this.brands.resolve(named)).id, brandless: false };
    } catch (error) {
      if (error instanceof AppError) return error.message;
      throw error;
    }
  }
}
