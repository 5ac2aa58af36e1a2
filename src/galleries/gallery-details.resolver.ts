import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { UpdateRecordType } from '../jobs/update-record.type.js';
import { UpdateRecords, type UpdateRecord } from '../jobs/update-records.service.js';
import { decodeIdCursor } from '../lib/keyset-cursor.js';
import { Connection, connectionOf, pageOf, type ConnectionOf } from '../platform/graphql/connection.js';
import type { GraphqlContext } from '../platform/graphql/graphql-context.js';
import { PageArgs, pageSizeOf } from '../platform/graphql/page-args.js';
import { GalleryDeeds } from './gallery-deeds.js';
import { GalleryDetailsRepository, MAX_SHARING, type GalleryEventView } from './gallery-details.repository.js';
import { GalleryEventType } from './gallery-event.type.js';
import { flagsOf, type GalleryFlag } from './gallery-flags.js';
import type { GalleryView } from './gallery-read.repository.js';
import { GalleryFlagEnum, GalleryKeyType, GalleryType } from './gallery.type.js';

const GalleryEventConnection = Connection(GalleryEventType);

/** What an editor sees of a gallery beyond what it shows: how it is found, what is odd about it, what happened to it. */
@Resolver(() => GalleryType)
export class GalleryDetailsResolver {
  constructor(
    private readonly details: GalleryDetailsRepository,
    private readonly deeds: GalleryDeeds,
  ) {}

  @ResolveField(() => String, {
    description: 'Season, category and market as people read them, in the language of the notes',
  })
  label(@Parent() gallery: GalleryType): string {
    return this.deeds.labelOf(gallery);
  }

  @ResolveField(() => [GalleryFlagEnum], { description: 'What an editor may want to look at' })
  async flags(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<GalleryFlag[]> {
    const sharing = context.loader('Gallery.sharing', (ids) => this.details.sharing(ids));
    return flagsOf(gallery, (await sharing.load(gallery.id)) ?? false);
  }

  @ResolveField(() => [GalleryType], {
    description: `Other galleries, none of them in the trash, that have one of its pictures byte for byte; newest first, ${MAX_SHARING} at most`,
  })
  async sharedWith(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<GalleryView[]> {
    const sharedWith = context.loader('Gallery.sharedWith', (ids) => this.details.sharedWith(ids));
    return (await sharedWith.load(gallery.id)) ?? [];
  }

  @ResolveField(() => [GalleryKeyType], {
    description: 'What crawls find it by, oldest first; a correction adds one. None once it was forgotten',
  })
  async keys(@Parent() gallery: GalleryType, @Context() context: GraphqlContext): Promise<GalleryKeyType[]> {
    const found = await context.loader('Gallery.keys', (ids) => this.details.keysOf(ids)).load(gallery.id);
    return (found ?? []).map((key) => ({ ...key, label: this.deeds.labelOf(key) }));
  }

  @ResolveField(() => GalleryEventConnection, { description: 'What happened to it, newest first' })
  async history(
    @Parent() gallery: GalleryType,
    @Args() args: PageArgs,
    @Context() context: GraphqlContext,
  ): Promise<ConnectionOf<GalleryEventView>> {
    const first = pageSizeOf(args);
    const after = args.after ? decodeIdCursor(args.after) : undefined;
    const histories = context.loader(`Gallery.history ${first} ${after ?? ''}`, (ids) =>
      this.details.historiesOf(ids, first, after),
    );
    const events = (await histories.load(gallery.id)) ?? [];
    return connectionOf(pageOf(events, first), (event) => [event.id], args.after);
  }
}

@Resolver(() => GalleryEventType)
export class GalleryEventFieldsResolver {
  constructor(private readonly records: UpdateRecords) {}

  @ResolveField(() => UpdateRecordType, {
    nullable: true,
    description: 'The job that did it; null for what a person did',
  })
  async job(@Parent() event: GalleryEventType, @Context() context: GraphqlContext): Promise<UpdateRecord | null> {
    if (event.jobId === null) return null;
    const jobs = context.loader('GalleryEvent.job', (ids) => this.records.byIds(ids));
    return (await jobs.load(event.jobId)) ?? null;
  }
}
