import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { afterOf, recordFilterOf, UpdateRecordsArgs } from '../jobs/update-records.args.js';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import { type UpdateRecord, UpdateRecords } from '../jobs/update-records.service.js';
import { Connection, connectionOf, type ConnectionOf } from '../platform/graphql/connection.js';
import { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { pageSizeOf } from '../platform/graphql/page-args.js';
import type { BrandAlias } from './brand-alias.entity.js';
import type { Brand } from './brand.entity.js';
import { BrandAliasType, BrandType, SharedNameType } from './brand.type.js';
import { BrandsService, type SharedName } from './brands.service.js';

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

  @ResolveField(() => [SharedNameType], {
    description: 'Names of it that another brand has too: crawlers that send one of them alone are turned away',
  })
  async sharedNames(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<SharedName[]> {
    return (await context.loader('Brand.sharedNames', (ids) => this.brands.sharedNamesOf(ids)).load(brand.id)) ?? [];
  }

  @ResolveField(() => BrandType, {
    nullable: true,
    description: 'The brand that it became a part of, when it is merged',
  })
  async survivor(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<Brand | null> {
    if (brand.mergedInto === null) return null;
    return (await context.loader('Brand.survivor', (ids) => this.brands.rows(ids)).load(brand.mergedInto)) ?? null;
  }

  @ResolveField(() => [BrandType], { description: 'The brands that became a part of it' })
  async parts(@Parent() brand: BrandType, @Context() context: GraphqlContext): Promise<Brand[]> {
    return (await context.loader('Brand.parts', (ids) => this.brands.partsOf(ids)).load(brand.id)) ?? [];
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

@Resolver(() => SharedNameType)
export class SharedNameFieldsResolver {
  constructor(private readonly brands: BrandsService) {}

  @ResolveField(() => BrandType, { nullable: true, description: 'The other brand' })
  async brand(@Parent() shared: SharedNameType, @Context() context: GraphqlContext): Promise<Brand | null> {
    return (await context.loader('SharedName.brand', (ids) => this.brands.rows(ids)).load(shared.otherId)) ?? null;
  }
}
