import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { pageOf, type Page } from '../platform/graphql/connection.js';
import {
  UpdateRecordsRepository,
  type JobAttempt,
  type RecordPage,
  type UpdateRecord,
} from './update-records.repository.js';

export type { JobAttempt, RecordFilter, RecordPage, UpdateRecord } from './update-records.repository.js';

/** A count that stops counting: a whole history is never counted for a number on a page. */
export interface CappedCount {
  count: number;
  /** There are more than `count`. */
  capped: boolean;
}

/** What every update did, for whoever shows it: the reading side of the queue. */
@Injectable()
export class UpdateRecords {
  constructor(private readonly records: UpdateRecordsRepository) {}

  async firstPagesOfBrands(brandIds: readonly string[], page: RecordPage): Promise<Map<string, Page<UpdateRecord>>> {
    const byBrand = new Map<string, UpdateRecord[]>(brandIds.map((id) => [id, []]));
    for (const record of await this.records.pagesOfBrands(brandIds, page)) byBrand.get(record.brandId)?.push(record);
    return new Map([...byBrand].map(([id, rows]) => [id, pageOf(rows, page.first)]));
  }

  async streetStyle(page: RecordPage): Promise<Page<UpdateRecord>> {
    return pageOf(await this.records.pageWithoutBrand('brandless', page), page.first);
  }

  async unknownBrand(page: RecordPage): Promise<Page<UpdateRecord>> {
    return pageOf(await this.records.pageWithoutBrand('unknown', page), page.first);
  }

  async byIds(ids: readonly string[], tx?: EntityManager): Promise<Map<string, UpdateRecord>> {
    return new Map((await this.records.byIds(ids, tx)).map((record) => [record.id, record]));
  }

  attemptsOf(jobIds: readonly string[]): Promise<Map<string, JobAttempt[]>> {
    return this.records.attemptsOf(jobIds);
  }

  /** What was asked for, as it came: up to megabytes each. */
  payloadsOf(jobIds: readonly string[]): Promise<Map<string, string>> {
    return this.records.payloadsOf(jobIds);
  }

  async countsOfBrands(brandIds: readonly string[], cap = 1_000): Promise<Map<string, CappedCount>> {
    const counts = await this.records.cappedCounts(brandIds, cap);
    return new Map([...counts].map(([id, count]) => [id, { count: Math.min(count, cap), capped: count > cap }]));
  }
}
