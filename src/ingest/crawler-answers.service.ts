import { Injectable } from '@nestjs/common';
import { wholeHours } from '../jobs/job-hours.js';
import { CrawlersService } from './crawlers.service.js';
import { type AnswerSum, type HourlyAnswer, IngestCountsRepository } from './ingest-counts.repository.js';

export type { AnswerSum, HourlyAnswer } from './ingest-counts.repository.js';

/** What the admin calls "24 hours": so many full ones, and the one that is under way. */
const HOURS = 24;

/** How the door answered, for whoever watches over the crawlers. */
@Injectable()
export class CrawlerAnswers {
  constructor(
    private readonly counts: IngestCountsRepository,
    private readonly crawlers: CrawlersService,
  ) {}

  /** Of the last 24 hours, by the crawlers' ids; most frequent first. */
  lastDay(crawlerIds: readonly string[]): Promise<Map<string, AnswerSum[]>> {
    return this.counts.sumsOfCrawlers(crawlerIds, HOURS);
  }

  /**
   * Of the whole hours that a time belongs to; those without any answer are left out.
   * @param name of the only crawler to count; else all, and whoever could not prove to be one
   * @throws AppError 400 `range-invalid`, `range-too-long`, 404 `crawler-unknown`
   */
  async perHour(from: Date, to: Date, name?: string | null): Promise<HourlyAnswer[]> {
    const hours = wholeHours(from, to);
    const id = name ? (await this.crawlers.byName(name)).id : undefined;
    return this.counts.hourly(hours.from, hours.to, id);
  }
}
