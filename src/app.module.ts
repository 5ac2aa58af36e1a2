import { type DynamicModule, Module } from '@nestjs/common';
import { migrations } from '../migrations/index.js';
import { AuthModule } from './auth/auth.module.js';
import { SignInModule } from './auth/sign-in.module.js';
import { BrandsModule } from './brands/brands.module.js';
import { entities } from './entities.js';
import { GalleriesModule } from './galleries/galleries.module.js';
import { CrawlersModule } from './ingest/crawlers.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { UnknownBrandsModule } from './ingest/unknown-brands.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import type { Config } from './platform/config/config.js';
import { GraphqlModule } from './platform/graphql/graphql.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { PlatformModule } from './platform/platform.module.js';

/**
 * The composition root: the only file that imports every module. Whoever adds one adds a line here. Roles close doors
 * and no rooms: a process without `intake` has no `/ingest`, one without `admin` neither `/graphql` nor `/auth`, one without `worker`
 * claims nothing.
 */
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(config, { entities, migrations }),
        HttpModule,
        AuthModule,
        JobsModule,
        BrandsModule,
        GalleriesModule,
        CrawlersModule,
        UnknownBrandsModule,
        ...(config.roles.has('intake') ? [IngestModule] : []),
        ...(config.roles.has('admin') ? [GraphqlModule, SignInModule] : []),
      ],
    };
  }
}
