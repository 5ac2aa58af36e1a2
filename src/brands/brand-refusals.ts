import type { AdminEventView } from '../auth/audit-log.service.js';
import { AppError } from '../lib/app-error.js';
import { BrandEntryError } from './brand-line.js';
import type { BrandConflict } from './brand-references.js';
import type { Brand } from './brand.entity.js';

/** How far the clock of an event and that of its deed may be apart, seconds. */
const SAME_DEED = 5;

/** @throws AppError 422 `brand-invalid` with what is wrong in words */
export function entryOrRefusal<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BrandEntryError)) throw error;
    throw new AppError('brand-invalid', `This is no brand yet: ${error.message}.`, { status: 422, cause: error });
  }
}

export function brandNotFound(id: string): AppError {
  return new AppError('brand-not-found', `There is no brand ${id}. Somebody may have deleted it.`, { status: 404 });
}

export function slugTaken(owner: { id: string; name: string; slug: string }): AppError {
  return new AppError(
    'slug-taken',
    `The address "${owner.slug}" is that of ${owner.name} (id ${owner.id}) already. If this is another house, give it an address of its own.`,
    { status: 409, members: { brand_id: owner.id } },
  );
}

export function brandIsPart({ name, mergedInto }: Brand): AppError {
  return new AppError(
    'brand-merged',
    `${name} became a part of the brand ${mergedInto ?? ''} and only leads there now. Work on that one.`,
    { status: 409, members: { merged_into: mergedInto } },
  );
}

/** @param events the newest things done to the brand, newest first */
export function brandChanged(brand: Brand, events: readonly AdminEventView[]): AppError {
  const { name, revision, updatedAt } = brand;
  // An import writes no event: whoever did something at another time is not blamed for it.
  const deed = events.find(({ at }) => at >= updatedAt && at <= updatedAt + SAME_DEED);
  const when = `${new Date(updatedAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return new AppError(
    'brand-changed',
    `${deed?.actor ?? 'Somebody'} changed ${name} at ${when}, after you had looked at it. See what it is now, and change it again if need be.`,
    { status: 409, members: { revision, changed_by: deed?.actor ?? null, changed_at: updatedAt } },
  );
}

export function aliasIsName({ name }: Brand, alias: string): AppError {
  return new AppError(
    'alias-is-name',
    `"${alias}" is the name, the Chinese name or the address of ${name}. Change that instead of removing it.`,
    { status: 409 },
  );
}

export function aliasUnknown({ name }: Brand, alias: string): AppError {
  return new AppError('alias-not-found', `${name} has no alias "${alias}". Somebody may have removed it.`, {
    status: 404,
  });
}

export function brandInUse({ name }: Brand, uses: readonly string[]): AppError {
  const listed = [...uses.slice(0, -2), uses.slice(-2).join(' and ')].join(', ');
  return new AppError(
    'brand-in-use',
    `${name} cannot be deleted: it has ${listed}. If it is another name of a brand, merge it into that one.`,
    { status: 409, members: { uses } },
  );
}

export function mergeIntoItself(): AppError {
  return new AppError('brand-merge-itself', 'A brand cannot become a part of itself. Choose another one.', {
    status: 400,
  });
}

export function showsConflict(from: Brand, into: Brand, conflicts: readonly BrandConflict[]): AppError {
  const shown = conflicts
    .slice(0, 5)
    .map(({ label, galleryId, otherGalleryId }) => `${label} (galleries ${galleryId} and ${otherGalleryId})`);
  const more = conflicts.length > shown.length ? ', …' : '';
  return new AppError(
    'shows-conflict',
    `${from.name} and ${into.name} have both: ${shown.join(', ')}${more}. Put the season of one right, or forget one that is deleted; then merge.`,
    {
      status: 409,
      members: {
        conflicts: conflicts.map(({ label, galleryId, otherGalleryId }) => ({
          label,
          gallery_id: galleryId,
          other_gallery_id: otherGalleryId,
        })),
      },
    },
  );
}
