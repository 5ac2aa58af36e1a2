import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { JobDecisions } from '../jobs/job-decisions.service.js';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { decidedOverrides, type DecidedOverrides } from './crawl-overrides.js';
import { GalleryReadRepository, type GalleryView } from './gallery-read.repository.js';
import { GalleryType } from './gallery.type.js';
import { actionsOf, CRAWL, type RecordAction } from './record-actions.js';
import { RecordActionEnum, RecordOverridesType } from './record-overrides.type.js';

/** What an update record has to do with galleries. */
@Resolver(() => UpdateRecordType)
export class RecordFieldsResolver {
  constructor(
    private readonly galleries: GalleryReadRepository,
    private readonly decisions: JobDecisions,
  ) {}

  @ResolveField(() => GalleryType, {
    nullable: true,
    description: 'The gallery that it made, changed or was skipped for',
  })
  async gallery(
    @Parent() { galleryId }: UpdateRecordType,
    @Context() context: GraphqlContext,
  ): Promise<GalleryView | null> {
    if (galleryId === null) return null;
    return (await context.loader('UpdateRecord.gallery', (ids) => this.galleries.byIds(ids)).load(galleryId)) ?? null;
  }

  @ResolveField(() => [RecordActionEnum], { description: 'What an editor may make of it, as it stands' })
  actions(@Parent() record: UpdateRecordType): RecordAction[] {
    return actionsOf(record);
  }

  @ResolveField(() => RecordOverridesType, {
    nullable: true,
    description: 'What editors decided against what the crawler sent; null when nothing',
  })
  async overrides(
    @Parent() { id, kind }: UpdateRecordType,
    @Context() context: GraphqlContext,
  ): Promise<DecidedOverrides | null> {
    if (kind !== CRAWL) return null;
    return decidedOverrides(
      await context.loader('UpdateRecord.overrides', (ids) => this.decisions.overridesOf(ids)).load(id),
    );
  }
}
