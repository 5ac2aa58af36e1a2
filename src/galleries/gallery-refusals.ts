import { AppError } from '../lib/app-error.js';
import type { LockedGallery } from './gallery-review.repository.js';

/** Why a gallery is not what an editor took it for; in one place, so that every door says it with the same words. */
export function galleryNotFound(id: string): AppError {
  return new AppError('gallery-not-found', `There is no gallery ${id}.`, { status: 404 });
}

/** @throws AppError `gallery-deleted` */
export function assertNotDeleted({ id, deletedAt, forgottenAt }: LockedGallery): void {
  if (forgottenAt > 0) throw galleryForgotten(id);
  if (deletedAt === 0) return;
  throw new AppError('gallery-deleted', `Gallery ${id} is in the trash. Restore it first.`, { status: 409 });
}

export function galleryNotDeleted(id: string): AppError {
  return new AppError(
    'gallery-not-deleted',
    `Gallery ${id} is not in the trash. Delete it first; only then it can be forgotten.`,
    { status: 409 },
  );
}

export function galleryForgotten(id: string): AppError {
  return new AppError(
    'gallery-forgotten',
    `Gallery ${id} was forgotten: its files are gone, and its show may be in another gallery by now. Have it crawled again.`,
    { status: 409 },
  );
}

export function galleryTakenDown(id: string, reason: string): AppError {
  return new AppError(
    'gallery-taken-down',
    `Gallery ${id} was taken down (${reason}). Ask an operator if it is to come back.`,
    { status: 409 },
  );
}

/** @throws AppError `gallery-empty` */
export function assertNotEmpty({ id, pictureCount }: LockedGallery): void {
  if (pictureCount > 0) return;
  throw new AppError('gallery-empty', `Gallery ${id} has no picture to show. Have it refilled first.`, { status: 409 });
}

export function allHidden(id: string): AppError {
  return new AppError('gallery-empty', `All pictures of gallery ${id} are hidden. Show one of them first.`, {
    status: 409,
  });
}

/** @throws AppError `gallery-complete` */
export function assertIncomplete({ id, missingCount }: LockedGallery): void {
  if (missingCount > 0) return;
  throw new AppError('gallery-complete', `Gallery ${id} misses no picture, so there is nothing to fetch.`, {
    status: 409,
  });
}

export function refillWaiting(id: string): AppError {
  return new AppError('refill-waiting', `The missing pictures of gallery ${id} are being fetched already.`, {
    status: 409,
  });
}

export function reasonNeeded(why: string): AppError {
  return new AppError('reason-needed', why, { status: 400 });
}

/** @param label the show that it is by now */
export function galleryChanged({ id, revision }: Pick<LockedGallery, 'id' | 'revision'>, label: string): AppError {
  return new AppError(
    'gallery-changed',
    `Gallery ${id} was changed after you had looked at it: it is ${label} now. Look at it, and change it again if need be.`,
    { status: 409, members: { revision } },
  );
}

/** @param other the gallery that has the key, deleted or not: deleted ones keep theirs until they are forgotten */
export function showExists(other: { id: string; deletedAt: number }, label: string): AppError {
  const help =
    other.deletedAt > 0
      ? `Gallery ${other.id}, which is in the trash, is ${label}. Restore that one, or have an operator forget it.`
      : `Gallery ${other.id} is ${label} already. If it is the same show, delete one of them; if it is not, put that one right first.`;
  return new AppError('show-exists', help, { status: 409, members: { gallery_id: other.id, label } });
}

export function noSuchPlace(galleryId: string, position: number): AppError {
  return new AppError('picture-not-found', `Gallery ${galleryId} has no picture in place ${position}.`, {
    status: 404,
  });
}

export function noCover(name: string, why: 'hidden' | 'not_there'): AppError {
  const help =
    why === 'hidden' ? `${name} is hidden. Show it first.` : `${name} could not be fetched. Have the gallery refilled.`;
  return new AppError('picture-not-shown', `${help} Only a picture that can be seen is a cover.`, { status: 409 });
}

export function lastPicture(galleryId: string): AppError {
  return new AppError(
    'last-picture',
    `Nothing else of gallery ${galleryId} is to be seen, and it is published. Reopen it first.`,
    { status: 409 },
  );
}
