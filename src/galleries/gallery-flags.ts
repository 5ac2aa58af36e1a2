/** What an editor may want to look at in a gallery. */
export const GALLERY_FLAGS = ['guessed_category', 'partial', 'suspect', 'shared_pictures'] as const;
export type GalleryFlag = (typeof GALLERY_FLAGS)[number];

/** What flags are raised by; the same rules as SQL are in the repository of the list. */
export interface Flaggable {
  categorySource: string;
  missingCount: number;
  expectedCount: number | null;
  pictureCount: number;
  suspect: boolean;
}

/** @param sharesPictures whether another gallery that is not in the trash has one of its pictures, byte for byte */
export function flagsOf(gallery: Flaggable, sharesPictures: boolean): GalleryFlag[] {
  const { categorySource, missingCount, expectedCount, pictureCount, suspect } = gallery;
  const raised: Record<GalleryFlag, boolean> = {
    guessed_category: categorySource === 'default',
    partial: missingCount > 0 || (expectedCount ?? 0) > pictureCount,
    suspect,
    shared_pictures: sharesPictures,
  };
  return GALLERY_FLAGS.filter((flag) => raised[flag]);
}
