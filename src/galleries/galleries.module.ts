import { Module } from '@nestjs/common';
import { BrandsModule } from '../brands/brands.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { MediaModule } from '../media/media.module.js';
import { BrandGalleriesRepository } from './brand-galleries.repository.js';
import { BrandGalleryFieldsResolver } from './brand-gallery-fields.resolver.js';
import { CleanupRepository } from './cleanup.repository.js';
import { CrawlWriter } from './crawl-writer.js';
import { CrawlHandler } from './crawl.handler.js';
import { FillBrandsService } from './fill-brands.service.js';
import { GalleriesRepository } from './galleries.repository.js';
import { GalleriesResolver } from './galleries.resolver.js';
import { GalleryBrandReferences } from './gallery-brand-references.js';
import { GalleryFieldsResolver, PictureFieldsResolver } from './gallery-fields.resolver.js';
import { GalleryFinderRepository } from './gallery-finder.repository.js';
import { GalleryReadRepository } from './gallery-read.repository.js';
import { GalleryReviewRepository } from './gallery-review.repository.js';
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
import { RefillRepository } from './refill.repository.js';
import { RunwayIntakeType } from './runway.intake-type.js';
import { StreetIntakeType } from './street.intake-type.js';

/** Shows and street-style galleries: what a crawl means, how it gets into the archive, and what editors do with it. */
@Module({
  imports: [BrandsModule, JobsModule, MediaModule],
  controllers: [PictureFilesController],
  providers: [
    RunwayIntakeType,
    StreetIntakeType,
    KnownShowsQuery,
    KnownShowsRepository,
    CrawlHandler,
    CrawlWriter,
    PictureGatherer,
    MediaCleanupHandler,
    MediaRefillHandler,
    OrphanWorker,
    GalleryReviewService,
    GalleriesRepository,
    GalleryFinderRepository,
    GalleryReadRepository,
    GalleryReviewRepository,
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
    GalleriesResolver,
    GalleryFieldsResolver,
    PictureFieldsResolver,
  ],
  exports: [FillBrandsService, MediaSweepService, MediaVerifyService],
})
export class GalleriesModule {}
