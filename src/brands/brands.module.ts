import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { BrandCatalogueRepository } from './brand-catalogue.repository.js';
import { BrandCatalogue } from './brand-catalogue.service.js';
import { BrandFieldsResolver } from './brand-fields.resolver.js';
import { BrandHashids } from './brand-hashids.js';
import { BrandlessRecordsResolver } from './brandless-records.resolver.js';
import { BrandListQuery } from './brand-list.intake-query.js';
import { BrandsRepository } from './brands.repository.js';
import { BrandsResolver } from './brands.resolver.js';
import { BrandsService } from './brands.service.js';

/** Brands, the names they go by, and what their updates did. */
@Module({
  imports: [JobsModule],
  providers: [
    BrandHashids,
    BrandsRepository,
    BrandCatalogueRepository,
    BrandsService,
    BrandCatalogue,
    BrandListQuery,
    BrandsResolver,
    BrandFieldsResolver,
    BrandlessRecordsResolver,
  ],
  exports: [BrandsService, BrandCatalogue],
})
export class BrandsModule {}
