import { Field, ID, ObjectType } from '@nestjs/graphql';
import { attemptEach, ProblemType } from '../platform/graphql/problem.type.js';
import type { GalleryView } from './gallery-read.repository.js';
import { GalleryType } from './gallery.type.js';

@ObjectType('GalleryResult', { description: 'What became of one of several galleries' })
export class GalleryResultType {
  @Field(() => ID, { description: 'As it was asked for' })
  id!: string;

  @Field(() => GalleryType, { nullable: true, description: 'The gallery as it is now; null when there is a problem' })
  gallery!: GalleryView | null;

  @Field(() => ProblemType, { nullable: true, description: 'Why nothing was done; null when it was' })
  problem!: ProblemType | null;
}

/** One entry for each different id, in the order asked. @throws AppError 400 `too-many-ids` */
export async function eachGallery(
  ids: readonly string[],
  work: (id: string) => Promise<GalleryView>,
): Promise<GalleryResultType[]> {
  const attempts = await attemptEach(ids, work);
  return attempts.map(({ id, result, problem }) => ({ id, gallery: result, problem }));
}
