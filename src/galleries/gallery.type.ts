import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import { TERMS, type Term } from '../taxonomy/terms.js';
import { GALLERY_STATUSES, type GalleryStatus } from './crawl-decision.js';
import { GALLERY_FLAGS } from './gallery-flags.js';
import type { GalleryPictureState } from './gallery-picture.entity.js';

const GALLERY_KINDS: readonly GalleryKind[] = ['runway', 'street'];
const PICTURE_STATES: readonly GalleryPictureState[] = ['stored', 'missing', 'failed'];

export const GalleryStatusEnum = registerEnum('GalleryStatus', GALLERY_STATUSES, 'Where a gallery stands in review', {
  pending_review: 'It waits for an editor',
  published: 'Everybody may see it',
  rejected: 'It was sent back: the next crawl of the show overwrites it',
});
export const GalleryKindEnum = registerEnum('GalleryKind', GALLERY_KINDS, 'A runway show, or street style', {
  runway: 'A show of a brand',
  street: 'Street style, which belongs to no brand',
});
export const TermEnum = registerEnum('Term', TERMS, 'The season within a year', {
  pre_fall: 'Pre-fall, 早秋',
  resort: 'Resort, cruise, 早春',
  spring: 'Spring and summer, 春夏',
  fall: 'Fall and winter, 秋冬',
});
export const GalleryFlagEnum = registerEnum('GalleryFlag', GALLERY_FLAGS, 'What an editor may want to look at', {
  guessed_category: 'Nothing named the category, so it was guessed',
  partial: 'It has fewer pictures than it should: some could not be fetched, are gone, or never came',
  suspect: 'A crawl was skipped for it that may have been another show',
  shared_pictures:
    'Another gallery that is not in the trash has one of its pictures, byte for byte. Pictures that over a hundred have may be missed',
});
const PictureStateEnum = registerEnum('PictureState', PICTURE_STATES, 'Whether a picture is there', {
  stored: 'It is there',
  missing: 'It was there, and its file is gone',
  failed: 'It could not be fetched',
});

@ObjectType('Picture', { description: 'A picture of a gallery' })
export class PictureType {
  @Field(() => Int, { description: 'Place in the gallery' })
  position!: number;

  @Field({ description: 'look, detail, beauty, backstage, front_row, atmosphere or other' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'The look as people write it: 7, 12A' })
  look!: string | null;

  @Field(() => String, { nullable: true, description: 'What the page said of it' })
  caption!: string | null;

  @Field(() => String, { nullable: true, description: 'Who took it' })
  credit!: string | null;

  @Field({ description: 'Where it was fetched' })
  sourceUrl!: string;

  @Field(() => PictureStateEnum, { description: 'Whether it is there' })
  state!: GalleryPictureState;

  @Field(() => String, { nullable: true, description: 'Why it could not be fetched' })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: 'Of the original bytes' })
  sha256!: string | null;

  @Field(() => String, { nullable: true, description: 'image/jpeg and the like; null when it is not there' })
  contentType!: string | null;

  @Field(() => Int, { nullable: true, description: 'Pixels; null when it is not there' })
  width!: number | null;

  @Field(() => Int, { nullable: true, description: 'Pixels; null when it is not there' })
  height!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to show before the thumbnail is there; base64 of a ThumbHash',
  })
  thumbhash!: string | null;

  @Field({ description: 'Only those who are signed in see it, and it is no cover' })
  hidden!: boolean;

  objectKey!: string | null;
}

@ObjectType('Gallery', { description: 'A show, or a street-style gallery' })
export class GalleryType {
  @Field(() => ID, { description: 'Its number' })
  id!: string;

  @Field(() => GalleryKindEnum, { description: 'A show, or street style' })
  kind!: GalleryKind;

  brandId!: string;

  @Field(() => Int, { nullable: true, description: 'null for street style of an unknown season' })
  year!: number | null;

  @Field(() => TermEnum, { nullable: true, description: 'null for street style of an unknown season' })
  term!: Term | null;

  @Field({ description: 'rtw, menswear, couture, bridal, coed, street_style, or one that the owner added' })
  category!: string;

  @Field({ description: 'How the category was found: hint, url, season, title, editor; default is a guess' })
  categorySource!: string;

  @Field(() => String, { nullable: true, description: 'City or country; null when nothing named one' })
  market!: string | null;

  @Field({ description: 'As the page had it' })
  title!: string;

  @Field(() => String, { nullable: true, description: 'YYYY-MM-DD; null when the crawl did not say' })
  showDate!: string | null;

  @Field(() => GalleryStatusEnum, { description: 'Where it stands in review' })
  status!: GalleryStatus;

  @Field(() => String, { nullable: true, description: 'Why it was rejected; null when it is not' })
  rejectReason!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was taken down; null when it was not, or came back' })
  takedownReason!: string | null;

  @Field(() => Int, {
    description: 'Grows when a crawl overwrites it, and when its season, category or market is changed',
  })
  revision!: number;

  @Field(() => Int, { description: 'Pictures that are there' })
  pictureCount!: number;

  @Field(() => Int, { description: 'Pictures that could not be fetched, or are gone' })
  missingCount!: number;

  @Field(() => Int, { description: 'Pictures that the crawl named, before any was left out' })
  sentCount!: number;

  @Field(() => Int, { nullable: true, description: 'Pictures that the page had, as the crawler counted' })
  expectedCount!: number | null;

  @Field(() => DateTime, { description: 'When a crawl made it' })
  createdAt!: number;

  @Field(() => DateTime, { description: 'When something was done to it last' })
  updatedAt!: number;

  deletedAt!: number;
  purgedAt!: number;
  publishedAt!: number;
  forgottenAt!: number;
  suspect!: boolean;
  coverPosition!: number;
}

@ObjectType('GalleryKey', { description: 'What crawls find a gallery by, beside its brand and its page' })
export class GalleryKeyType {
  @Field(() => Int, { nullable: true, description: 'null for street style of an unknown season' })
  year!: number | null;

  @Field(() => TermEnum, { nullable: true, description: 'null for street style of an unknown season' })
  term!: Term | null;

  @Field({ description: 'A category’s code' })
  category!: string;

  @Field(() => String, { nullable: true, description: 'City or country; null when nothing named one' })
  market!: string | null;

  @Field({ description: 'The four of them as people read them, in the language of the notes' })
  label!: string;
}
