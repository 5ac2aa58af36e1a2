import type { MigrationInterface } from 'typeorm';
import { CreateIngestJobs1767225600000 } from './1767225600000-create-ingest-jobs.js';
import { AddUpdateRecords2026102501x1792886401000 } from './1792886401000-2026-10-25-01-add-update-records.js';
import { AddJobLeases1795996800000 } from './1795996800000-add-job-leases.js';
import { CreateSettingFingerprints1795996800001 } from './1795996800001-create-setting-fingerprints.js';
import { CreateBrands1795996800010 } from './1795996800010-create-brands.js';
import { CreateIngestDoor1795996800020 } from './1795996800020-create-ingest-door.js';
import { CreateGalleries1795996800030 } from './1795996800030-create-galleries.js';
import { CreateIngestCounts1795996800040 } from './1795996800040-create-ingest-counts.js';
import { CreateMediaHosts1795996800050 } from './1795996800050-create-media-hosts.js';
import { CreateAdminEvents1795996800060 } from './1795996800060-create-admin-events.js';
import { CreateUsers1795996800061 } from './1795996800061-create-users.js';
import { AddBrandRevision1795996800070 } from './1795996800070-add-brand-revision.js';
import { CreateJobKindPauses1795996800080 } from './1795996800080-create-job-kind-pauses.js';
import { IndexJobHours1795996800081 } from './1795996800081-index-job-hours.js';
import { AddJobOverrides1795996800090 } from './1795996800090-add-job-overrides.js';
import { AddGallerySuspect1795996800091 } from './1795996800091-add-gallery-suspect.js';
import { AddGalleryEditing1795996800095 } from './1795996800095-add-gallery-editing.js';
import { AddSeasonCoverage1795996800100 } from './1795996800100-add-season-coverage.js';

/** Every migration, oldest first. A list and not a glob: what runs is what is written here. */
export const migrations: (new () => MigrationInterface)[] = [
  CreateIngestJobs1767225600000,
  AddUpdateRecords2026102501x1792886401000,
  AddJobLeases1795996800000,
  CreateSettingFingerprints1795996800001,
  CreateBrands1795996800010,
  CreateIngestDoor1795996800020,
  CreateGalleries1795996800030,
  CreateIngestCounts1795996800040,
  CreateMediaHosts1795996800050,
  CreateAdminEvents1795996800060,
  CreateUsers1795996800061,
  AddBrandRevision1795996800070,
  CreateJobKindPauses1795996800080,
  IndexJobHours1795996800081,
  AddJobOverrides1795996800090,
  AddGallerySuspect1795996800091,
  AddGalleryEditing1795996800095,
  AddSeasonCoverage1795996800100,
];
