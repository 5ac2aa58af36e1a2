import type { ObjectLiteral } from 'typeorm';
import { AdminEvent } from './auth/admin-event.entity.js';
import { SignInAttempt } from './auth/sign-in-attempt.entity.js';
import { UserSession } from './auth/user-session.entity.js';
import { UserToken } from './auth/user-token.entity.js';
import { User } from './auth/user.entity.js';
import { BrandAlias } from './brands/brand-alias.entity.js';
import { Brand } from './brands/brand.entity.js';
import { GalleryEvent } from './galleries/gallery-event.entity.js';
import { GalleryKeyRow } from './galleries/gallery-key.entity.js';
import { GalleryPicture } from './galleries/gallery-picture.entity.js';
import { GallerySource } from './galleries/gallery-source.entity.js';
import { Gallery } from './galleries/gallery.entity.js';
import { IngestPicture } from './galleries/ingest-picture.entity.js';
import { CrawlerSecret } from './ingest/crawler-secret.entity.js';
import { Crawler } from './ingest/crawler.entity.js';
import { IngestCount } from './ingest/ingest-count.entity.js';
import { IngestMessage } from './ingest/ingest-message.entity.js';
import { IngestRefusal } from './ingest/ingest-refusal.entity.js';
import { IngestJobAttempt } from './jobs/ingest-job-attempt.entity.js';
import { IngestJob } from './jobs/ingest-job.entity.js';
import { JobKindPause } from './jobs/job-kind-pause.entity.js';
import { MediaHost } from './media/media-host.entity.js';
import { SettingFingerprint } from './platform/database/setting-fingerprint.entity.js';

/** The only list of tables. */
export const entities: (new () => ObjectLiteral)[] = [
  SettingFingerprint,
  AdminEvent,
  User,
  UserSession,
  UserToken,
  SignInAttempt,
  IngestJob,
  IngestJobAttempt,
  JobKindPause,
  Brand,
  BrandAlias,
  Gallery,
  GalleryKeyRow,
  GallerySource,
  GalleryPicture,
  IngestPicture,
  GalleryEvent,
  Crawler,
  CrawlerSecret,
  IngestMessage,
  IngestRefusal,
  IngestCount,
  MediaHost,
];
