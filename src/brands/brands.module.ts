import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AuthModule } from '../auth/auth.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { BrandCatalogueRepository } from './brand-catalogue.repository.js';
import { BrandCatalogue } from './brand-catalogue.service.js';
import { BrandEditingResolver } from './brand-editing.resolver.js';
import { BrandEditorRepository } from './brand-editor.repository.js';
import { BrandEditor } from './brand-editor.service.js';
import { BrandFieldsResolver, SharedNameFieldsResolver } from './brand-fields.resolver.js';
import { BrandHashids } from './brand-hashids.js';
import { BrandlessRecordsResolver } from './brandless-records.resolver.js';
import { BrandListQuery } from './brand-list.intake-query.js';
import { BrandMergeHandler } from './brand-merge.handler.js';
import { BrandMerger } from './brand-merger.service.js';
import { BrandNumbersResolver } from './brand-numbers.resolver.js';
import { BrandReferenceRegistry } from './brand-reference-registry.js';
import { BrandsRepository } from './brands.repository.js';
import { BrandsResolver } from './brands.resolver.js';
import { BrandsService } from './brands.service.js';
import { UpdateRecordBrandResolver } from './update-record-brand.resolver.js';

/** Brands, the names they go by, and what their updates did. */
@Module({
  imports: [DiscoveryModule, AuthModule, JobsModule],
  providers: [
    BrandHashids,
    BrandsRepository,
    BrandCatalogueRepository,
    BrandsService,
    BrandCatalogue,
    BrandEditorRepository,
    BrandReferenceRegistry,
    BrandEditor,
    BrandMerger,
    BrandMergeHandler,
    BrandListQuery,
    BrandsResolver,
    BrandFieldsResolver,
    SharedNameFieldsResolver,
    BrandNumbersResolver,
    BrandEditingResolver,
    BrandlessRecordsResolver,
    UpdateRecordBrandResolver,
  ],
  exports: [BrandsService, BrandCatalogue, BrandEditor],
})
export class BrandsModule {}
