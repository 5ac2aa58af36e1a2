import { type DynamicModule, Module, type OnModuleInit } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from './clock/clock.js';
import { CONFIG, type Config } from './config/config.js';
import { dataSourceOptions, type Tables } from './database/data-source-options.js';
import { FingerprintsRepository } from './database/fingerprints.repository.js';
import { SettingFingerprints } from './database/setting-fingerprints.js';
import { Transactions } from './database/transactions.js';
import { OpsServer } from './health/ops-server.js';
import { Metrics } from './metrics/metrics.js';

/** Plumbing that every room stands on: configuration, clock, database, timers. It knows no word of the archive. */
@Module({})
export class PlatformModule implements OnModuleInit {
  constructor(private readonly fingerprints: SettingFingerprints) {}

  static with(config: Config, tables: Tables): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(config.database, tables), retryAttempts: 1 }),
        ScheduleModule.forRoot({ intervals: config.timers, cronJobs: config.timers, timeouts: config.timers }),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        Clock,
        Metrics,
        OpsServer,
        Transactions,
        FingerprintsRepository,
        SettingFingerprints,
      ],
      exports: [CONFIG, Clock, Metrics, SettingFingerprints, Transactions, TypeOrmModule],
    };
  }

  async onModuleInit(): Promise<void> {
    await this.fingerprints.verify('SECRETS_KEY', 'this key');
  }
}
