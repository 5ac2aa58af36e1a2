import { Field, ID, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import { GALLERY_ACTIONS, type GalleryAction } from './gallery-event.entity.js';

export const GalleryActionEnum = registerEnum('GalleryAction', GALLERY_ACTIONS, 'What happened to a gallery', {
  created: 'A crawl made it',
  overwritten: 'A crawl gave it other pictures',
  crawl_skipped: 'A crawl of the show came and changed nothing',
  suspect_dismissed: 'An editor said that a doubtful crawl was of this show after all',
  published: 'An editor shows it to everybody',
  rejected: 'An editor sent it back',
  reopened: 'It waits for a review again',
  changed: 'An editor put season, category or market right',
  cover_chosen: 'An editor chose its cover',
  picture_hidden: 'An editor keeps a picture from the public',
  picture_shown: 'A hidden picture is shown again',
  refilled: 'Pictures that it missed were fetched',
  brand_merged: 'Its brand became a part of another',
  deleted: 'It went to the trash',
  taken_down: 'It went to the trash for good, and its files at once',
  purged: 'Its files were removed',
  restored: 'It came out of the trash',
  forgotten: 'The show may come again, as another gallery',
});

@ObjectType('GalleryEvent', { description: 'Something that happened to a gallery' })
export class GalleryEventType {
  @Field(() => ID, { description: 'Grows with time' })
  id!: string;

  @Field(() => DateTime, { description: 'When' })
  at!: number;

  @Field({ description: 'The user or the crawler who did it; runway-ingest for what the system does by itself' })
  actor!: string;

  @Field(() => GalleryActionEnum, { description: 'What' })
  action!: GalleryAction;

  @Field(() => String, {
    nullable: true,
    description: 'A reason, a difference, a picture, a crawl’s note; null when there is no more to say',
  })
  detail!: string | null;

  @Field(() => ID, { nullable: true, description: 'The job that did it; null for what a person did' })
  jobId!: string | null;
}
