import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import { GraphqlContext } from '../platform/graphql/graphql-context.js';
import type { Brand } from './brand.entity.js';
import { BrandType } from './brand.type.js';
import { BrandsService } from './brands.service.js';

/** Whose update it was, for lists that are of no one brand. */
@Resolver(() => UpdateRecordType)
export class UpdateRecordBrandResolver {
  constructor(private readonly brands: BrandsService) {}

  @ResolveField(() => BrandType, {
    nullable: true,
    description: 'null for street style, or when the brand is not known',
  })
  async brand(@Parent() record: UpdateRecordType, @Context() context: GraphqlContext): Promise<Brand | null> {
    if (record.brandId === '0') return null;
    return (await context.loader('UpdateRecord.brand', (ids) => this.brands.rows(ids)).load(record.brandId)) ?? null;
  }
}
