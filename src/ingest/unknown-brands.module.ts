import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BrandsModule } from '../brands/brands.module.js';
import { UnknownBrandsRepository } from './unknown-brands.repository.js';
import { UnknownBrandsResolver } from './unknown-brands.resolver.js';
import { UnknownBrands } from './unknown-brands.service.js';

/** What the door turned away for its brand. In every process, since the door may be in another than the admin. */
@Module({
  imports: [AuthModule, BrandsModule],
  providers: [UnknownBrandsRepository, UnknownBrands, UnknownBrandsResolver],
})
export class UnknownBrandsModule {}
