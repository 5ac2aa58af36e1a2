import type { ObjectLiteral } from 'typeorm';
import { CrawlerSecret } from './ingest/crawler-secret.entity.js';
import { Crawler } from './ingest/crawler.entity.js';
import { IngestMessage } from './ingest/ingest-message.entity.js';
import { IngestRefusal } from './ingest/ingest-refusal.entity.js';
import { IngestJobAttempt } from './jobs/ingest-job-attempt.entity.js';
import { IngestJob } from './jobs/ingest-job.entity.js';
import { SettingFingerprint } from './platform/database/setting-fingerprint.entity.js';

/** The only list of tables. */
export const entities: (new () => ObjectLiteral)[] = [
  SettingFingerprint,
  IngestJob,
  IngestJobAttempt,
  Crawler,
  CrawlerSecret,
  IngestMessage,
  IngestRefusal,
];
