import { Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { BrandRecords, MAX_FAILURES } from '../jobs/brand-records.service.js';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import { type CappedCount, type UpdateRecord, UpdateRecords } from '../jobs/update-records.service.js';
import { CappedCountType } from '../platform/graphql/capped-count.type.js';
import { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { BrandType } from './brand.type.js';

const SEVEN_DAYS = 7 * 86_400;

/** How a brand is doing, at a glance: one statement a field, however many brands are on the page. */
@Resolver(() => BrandType)
export class BrandNumbersResolver {
  constructor(
    private readonly history: UpdateRecords,
    private readonly records: BrandRecords,
  ) {}

  @ResolveField(() => CappedCountType, { description: 'How many update records it has' })
  async updateRecordCount(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<CappedCount> {
    const loader = context.loader('Brand.updateRecordCount', (ids) => this.history.countsOfBrands(ids));
    return (await loader.load(brand.id)) ?? { count: 0, capped: false };
  }

  @ResolveField(() => UpdateRecordType, {
    nullable: true,
    description: 'Its newest update record, in whatever state; null when it has none',
  })
  async lastUpdate(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<UpdateRecord | null> {
    const loader = context.loader('Brand.lastUpdate', (ids) => this.history.firstPagesOfBrands(ids, { first: 1 }));
    return (await loader.load(brand.id))?.rows[0] ?? null;
  }

  @ResolveField(() => Int, {
    description: `Update records that failed in the last 7 days, of its newest ${MAX_FAILURES} failed ones`,
  })
  async failures7d(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<number> {
    const loader = context.loader('Brand.failures7d', (ids) => this.records.failuresOf(ids, SEVEN_DAYS));
    return (await loader.load(brand.id)) ?? 0;
  }
}
