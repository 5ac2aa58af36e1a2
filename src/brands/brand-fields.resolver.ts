import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { afterOf, recordFilterOf, UpdateRecordsArgs } from '../jobs/update-records.args.js';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import { type UpdateRecord, UpdateRecords } from '../jobs/update-records.service.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { pageSizeOf } from '../platform/graphql/page-args.js';
import type { BrandAlias } from './brand-alias.entity.js';
import { BrandAliasType, BrandType } from './brand.type.js';
import { BrandsService } from './brands.service.js';

const UpdateRecordConnection = Connection(UpdateRecordType);

/** What a brand shows beside its row: one statement a field, however many brands are on the page. */
@Resolver(() => BrandType)
export class BrandFieldsResolver {
  constructor(
    private readonly brands: BrandsService,
    private readonly records: UpdateRecords,
  ) {}

  @ResolveField(() => String, { description: 'The id that crawlers use' })
  hashid(@Parent() brand: BrandType): string {
    return this.brands.hashidOf(brand.id);
  }

  @ResolveField(() => [BrandAliasType], { description: 'Every name it goes by, its own and its slug among them' })
  async aliases(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<BrandAlias[]> {
    return (await context.loader('Brand.aliases', (ids) => this.brands.aliasesOf(ids)).load(brand.id)) ?? [];
  }

  @ResolveField(() => UpdateRecordConnection, { description: 'What its updates did, newest first' })
  async updateRecords(
    @Parent() brand: BrandType,
    @Args() args: UpdateRecordsArgs,
    @Context() context: GraphqlContext,
  ): Promise<ConnectionOf<UpdateRecord>> {
    const page = { first: pageSizeOf(args), after: afterOf(args), filter: recordFilterOf(args) };
    // Brands that ask with the same arguments share a loader, and so a statement.
    const name = `Brand.updateRecords ${JSON.stringify(page)}`;
    const found = await context.loader(name, (ids) => this.records.firstPagesOfBrands(ids, page)).load(brand.id);
    return connectionOf(found ?? { rows: [], hasNextPage: false }, (record) => [record.id], args.after);
  }
}
