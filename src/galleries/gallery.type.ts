import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from '../platform/graphql/date-time.scalar.js';
import { registerEnum } from '../platform/graphql/register-enum.js';
import type { GalleryKind } from '../taxonomy/categories.js';
import { TERMS, type Term } from '../taxonomy/terms.js';
import { GALLERY_STATUSES, type GalleryStatus } from './crawl-decision.js';
import type { GalleryPictureState } from './gallery-picture.entity.js';

const GALLERY_KINDS: readonly GalleryKind[] = ['runway', 'street'];
const PICTURE_STATES: readonly GalleryPictureState[] = ['stored', 'missing', 'failed'];

export const GalleryStatusEnum = registerEnum('GalleryStatus', GALLERY_STATUSES, 'Where a gallery stands in review');
export const GalleryKindEnum = registerEnum('GalleryKind', GALLERY_KINDS, 'A runway show, or street style');
export const TermEnum = registerEnum('Term', TERMS, 'The season within a year');
const PictureStateEnum = registerEnum('PictureState', PICTURE_STATES, 'Whether a picture is there');

@ObjectType('Picture', { description: 'A picture of a gallery' })
export class PictureType {
  @Field(() => Int, { description: 'Place in the gallery' })
  position!: number;

  @Field({ description: 'look, detail, beauty, backstage, front_row, atmosphere or other' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'The look as people write it: 7, 12A' })
  look!: string | null;

  @Field(() => String, { nullable: true })
  caption!: string | null;

  @Field(() => String, { nullable: true })
  credit!: string | null;

  @Field({ description: 'Where it was fetched' })
  sourceUrl!: string;

  @Field(() => PictureStateEnum)
  state!: GalleryPictureState;

  @Field(() => String, { nullable: true, description: 'Why it could not be fetched' })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: 'Of the original bytes' })
  sha256!: string | null;

  @Field(() => String, { nullable: true })
  contentType!: string | null;

  @Field(() => Int, { nullable: true })
  width!: number | null;

  @Field(() => Int, { nullable: true })
  height!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to show before the thumbnail is there; base64 of a ThumbHash',
  })
  thumbhash!: string | null;

  objectKey!: string | null;
}

@ObjectType('Gallery', { description: 'A show, or a street-style gallery' })
export class GalleryType {
  @Field(() => ID)
  id!: string;

  @Field(() => GalleryKindEnum)
  kind!: GalleryKind;

  brandId!: string;

  @Field(() => Int, { nullable: true })
  year!: number | null;

  @Field(() => TermEnum, { nullable: true })
  term!: Term | null;

  @Field({ description: 'rtw, menswear, couture, bridal, coed, street_style, or one that the owner added' })
  category!: string;

  @Field({ description: 'How the category was found: hint, url, season, title; default is a guess' })
  categorySource!: string;

  @Field(() => String, { nullable: true, description: 'City or country' })
  market!: string | null;

  @Field()
  title!: string;

  @Field(() => String, { nullable: true, description: 'YYYY-MM-DD' })
  showDate!: string | null;

  @Field(() => GalleryStatusEnum)
  status!: GalleryStatus;

  @Field(() => String, { nullable: true })
  rejectReason!: string | null;

  @Field(() => Int, { description: 'Grows when a crawl overwrites a rejected gallery' })
  revision!: number;

  @Field(() => Int, { description: 'Pictures that are there' })
  pictureCount!: number;

  @Field(() => Int, { description: 'Pictures that could not be fetched, or are gone' })
  missingCount!: number;

  @Field(() => Int, { description: 'Pictures that the crawl named, before any was left out' })
  sentCount!: number;

  @Field(() => Int, { nullable: true, description: 'Pictures that the page had, as the crawler counted' })
  expectedCount!: number | null;

  @Field(() => DateTime)
  createdAt!: number;

  @Field(() => DateTime)
  updatedAt!: number;

  deletedAt!: number;
  purgedAt!: number;
  publishedAt!: number;
  coverPosition!: number;
}
