import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MediaModule } from '../media/media.module.js';
import { BrandGalleriesRepository } from './brand-galleries.repository.js';
import { BrandGalleryFieldsResolver } from './brand-gallery-fields.resolver.js';
import { CleanupRepository } from './cleanup.repository.js';
import { CrawlReader } from './crawl-reader.js';
import { CrawlWriter } from './crawl-writer.js';
import { CrawlHandler } from './crawl.handler.js';
import { FillBrandsService } from './fill-brands.service.js';
import { GalleriesRepository } from './galleries.repository.js';
import { GalleriesResolver } from './galleries.resolver.js';
import { GalleryBrandReferences } from './gallery-brand-references.js';
import { GalleryBulkResolver } from './gallery-bulk.resolver.js';
import { GalleryDeeds } from './gallery-deeds.js';
import { GalleryDetailsRepository } from './gallery-details.repository.js';
import { GalleryDetailsResolver, GalleryEventFieldsResolver } from './gallery-details.resolver.js';
import { GalleryEditingResolver } from './gallery-editing.resolver.js';
import { GalleryEditorRepository } from './gallery-editor.repository.js';
import { GalleryEditor } from './gallery-editor.service.js';
import { GalleryFieldsResolver, PictureFieldsResolver } from './gallery-fields.resolver.js';
import { GalleryFinderRepository } from './gallery-finder.repository.js';
import { GalleryListRepository } from './gallery-list.repository.js';
import { GalleryReadRepository } from './gallery-read.repository.js';
import { GalleryReviewRepository } from './gallery-review.repository.js';
import { GalleryReviewResolver } from './gallery-review.resolver.js';
import { GalleryReviewService } from './gallery-review.service.js';
import { KnownShowsQuery } from './known-shows.intake-query.js';
import { KnownShowsRepository } from './known-shows.repository.js';
import { MediaCleanupHandler } from './media-cleanup.handler.js';
import { MediaRefillHandler } from './media-refill.handler.js';
import { MediaSweepService } from './media-sweep.service.js';
import { MediaVerifyService } from './media-verify.service.js';
import { ObjectAuditRepository } from './object-audit.repository.js';
import { OrphanWorker } from './orphan.worker.js';
import { PictureFilesController } from './picture-files.controller.js';
import { PictureGatherer } from './picture-gatherer.js';
import { PictureSlotsRepository } from './picture-slots.repository.js';
import { RecordDecisionsResolver } from './record-decisions.resolver.js';
import { RecordDecisions } from './record-decisions.service.js';
import { RecordFieldsResolver } from './record-fields.resolver.js';
import { RecordRetry } from './record-retry.service.js';
import { RefillRepository } from './refill.repository.js';
import { RunwayIntakeType } from './runway.intake-type.js';
import { SeasonCoverageRepository } from './season-coverage.repository.js';
import { SeasonCoverageResolver } from './season-coverage.resolver.js';
import { SeasonCoverage } from './season-coverage.service.js';
import { StreetIntakeType } from './street.intake-type.js';

/** Shows and street-style galleries: what a crawl means, how it gets into the archive, and what editors do with it. */
@Module({
  imports: [AuthModule, BrandsModule, JobsModule, MediaModule],
  controllers: [PictureFilesController],
  providers: [
    RunwayIntakeType,
    StreetIntakeType,
    KnownShowsQuery,
    KnownShowsRepository,
    CrawlHandler,
    CrawlReader,
    CrawlWriter,
    RecordRetry,
    RecordDecisions,
    RecordDecisionsResolver,
    RecordFieldsResolver,
    PictureGatherer,
    MediaCleanupHandler,
    MediaRefillHandler,
    OrphanWorker,
    GalleryReviewService,
    GalleryEditor,
    GalleryDeeds,
    GalleriesRepository,
    GalleryFinderRepository,
    GalleryReadRepository,
    GalleryListRepository,
    GalleryDetailsRepository,
    GalleryReviewRepository,
    GalleryEditorRepository,
    PictureSlotsRepository,
    CleanupRepository,
    RefillRepository,
    ObjectAuditRepository,
    MediaSweepService,
    MediaVerifyService,
    FillBrandsService,
    BrandGalleriesRepository,
    GalleryBrandReferences,
    BrandGalleryFieldsResolver,
    SeasonCoverageRepository,
    SeasonCoverage,
    SeasonCoverageResolver,
    GalleriesResolver,
    GalleryReviewResolver,
    GalleryEditingResolver,
    GalleryBulkResolver,
    GalleryDetailsResolver,
    GalleryEventFieldsResolver,
    GalleryFieldsResolver,
    PictureFieldsResolver,
  ],
  exports: [FillBrandsService, MediaSweepService, MediaVerifyService],
})
export class GalleriesModule {}
