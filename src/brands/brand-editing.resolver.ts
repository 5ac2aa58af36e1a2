import { Args, ID, Int, Mutation, Resolver } from '@nestjs/graphql';
import { CurrentActor, Requires } from '../auth/access.decorators.js';
import type { Actor } from '../auth/actor.js';
import { decimalId } from '../lib/decimal-id.js';
import { BrandEditor } from './brand-editor.service.js';
import { type BrandMerge, BrandMerger } from './brand-merger.service.js';
import { BrandMergeType } from './brand-merge.type.js';
import type { Brand } from './brand.entity.js';
import { CreateBrandInput, UpdateBrandInput } from './brand.input.js';
import { BrandType } from './brand.type.js';

const BRAND_ID = { type: () => ID, description: 'The brand' };
const ALIAS = { description: 'The name, in any spelling' };

/** What editors do to brands. */
@Resolver()
@Requires('editor')
export class BrandEditingResolver {
  constructor(
    private readonly editor: BrandEditor,
    private readonly merger: BrandMerger,
  ) {}

  @Mutation(() => BrandType, { description: 'Makes a brand. Names that another brand has too are in its sharedNames' })
  createBrand(
    @Args('input', { description: 'What it is called' }) input: CreateBrandInput,
    @CurrentActor() actor: Actor,
  ): Promise<Brand> {
    return this.editor.create(actor, input);
  }

  @Mutation(() => BrandType, {
    description: 'Changes names and address of a brand. Fails with brand-changed when somebody was quicker',
  })
  updateBrand(
    @Args('id', BRAND_ID) id: string,
    @Args('input', { description: 'What is to be different' }) input: UpdateBrandInput,
    @Args('revision', { type: () => Int, description: 'The revision that the editor looked at' }) revision: number,
    @CurrentActor() actor: Actor,
  ): Promise<Brand> {
    return this.editor.update(actor, decimalId(id), input, revision);
  }

  @Mutation(() => BrandType, {
    description: 'Adds a name that the brand goes by. When another brand has it too, it is in the sharedNames',
  })
  addBrandAlias(
    @Args('brandId', BRAND_ID) brandId: string,
    @Args('alias', ALIAS) alias: string,
    @CurrentActor() actor: Actor,
  ): Promise<Brand> {
    return this.editor.addAlias(actor, decimalId(brandId), alias);
  }

  @Mutation(() => BrandType, { description: 'Takes a name away, which must not be its name, Chinese name or slug' })
  removeBrandAlias(
    @Args('brandId', BRAND_ID) brandId: string,
    @Args('alias', ALIAS) alias: string,
    @CurrentActor() actor: Actor,
  ): Promise<Brand> {
    return this.editor.removeAlias(actor, decimalId(brandId), alias);
  }

  @Mutation(() => BrandMergeType, {
    description: 'Makes a brand a part of another: galleries and records move, and its hashid and names lead there',
  })
  mergeBrand(
    @Args('id', { type: () => ID, description: 'The brand that becomes a part of the other' }) id: string,
    @Args('into', { type: () => ID, description: 'The brand that stays' }) into: string,
    @Args('dryRun', { defaultValue: false, description: 'Only tell what would be done' }) dryRun: boolean,
    @CurrentActor() actor: Actor,
  ): Promise<BrandMerge> {
    return this.merger.merge(actor, decimalId(id), decimalId(into), dryRun);
  }

  @Mutation(() => BrandType, {
    description: 'Deletes a brand that has neither shows nor update records, and answers it as it was',
  })
  deleteBrand(@Args('id', BRAND_ID) id: string, @CurrentActor() actor: Actor): Promise<Brand> {
    return this.editor.delete(actor, decimalId(id));
  }
}
