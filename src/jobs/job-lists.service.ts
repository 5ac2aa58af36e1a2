import { Injectable } from '@nestjs/common';
import type { Page } from '../platform/graphql/connection.js';
import { type JobFilter, JobListsRepository } from './job-lists.repository.js';
import type { UpdateRecord } from './update-records.service.js';

export type { JobFilter } from './job-lists.repository.js';

/** How many jobs a page looks at, at most. */
export const MAX_LOOKED_AT = 20_000;

/** Jobs of whatever brand, by whatever they are asked for. */
@Injectable()
export class JobLists {
  constructor(private readonly repository: JobListsRepository) {}

  /** A page that had to end before it was full says where the next one goes on. @param after an id */
  async page(first: number, after: string | undefined, filter: JobFilter): Promise<Page<UpdateRecord>> {
    const { rows, edge } = await this.repository.page({ first, after, filter, budget: MAX_LOOKED_AT });
    if (rows.length > first) return { rows: rows.slice(0, first), hasNextPage: true };
    return { rows, hasNextPage: edge !== undefined, ...(edge !== undefined && { end: [edge] }) };
  }
}
