import { type DynamicModule, Module } from '@nestjs/common';
import { migrations } from '../migrations/index.js';
import { AuthModule } from './auth/auth.module.js';
import { entities } from './entities.js';
import { JobsModule } from './jobs/jobs.module.js';
import type { Config } from './platform/config/config.js';
import { PlatformModule } from './platform/platform.module.js';

/** The composition root: the only file that imports every module. Whoever adds one adds a line here. */
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.with(config, { entities, migrations }), AuthModule, JobsModule],
    };
  }
}
