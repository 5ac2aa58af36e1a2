import type { EntityManager } from 'typeorm';
import type { CleanupRepository } from '../../../src/galleries/cleanup.repository.js';
import type { SlotState } from '../../../src/galleries/ingest-picture.entity.js';
import type {
  PictureSlot,
  PictureSlotsRepository,
  SlotPicture,
} from '../../../src/galleries/picture-slots.repository.js';
import type { FakeArchive } from './fake-archive.js';
import type { PublicOf } from './public-of.js';

type Row = FakeArchive['rows']['slots'][number];

const OPEN: readonly SlotState[] = ['waiting', 'storing'];

export class FakePictureSlots implements PublicOf<PictureSlotsRepository> {
  constructor(private readonly archive: FakeArchive) {}

  async prepare(jobId: string, pictures: readonly { position: number; url: string }[]): Promise<PictureSlot[]> {
    for (const { position, url } of pictures) {
      if (this.slot(jobId, position) === undefined) this.archive.rows.slots.push(blank(jobId, position, url));
    }
    return this.of(jobId);
  }

  of(jobId: string): Promise<PictureSlot[]> {
    return Promise.resolve(this.archive.slotsOf(jobId).map(({ jobId: _, ...slot }) => slot));
  }

  reopenFailed(jobId: string): Promise<void> {
    for (const slot of this.archive.slotsOf(jobId)) if (slot.state === 'failed') slot.state = 'waiting';
    return Promise.resolve();
  }

  announce(
    _tx: EntityManager,
    jobId: string,
    position: number,
    picture: SlotPicture,
  ): Promise<{ displaced: string | null } | undefined> {
    const slot = this.open(jobId, position);
    if (slot === undefined) return Promise.resolve(undefined);
    const displaced = slot.objectKey === picture.objectKey ? null : slot.objectKey;
    Object.assign(slot, picture, { state: 'storing', tries: slot.tries + 1, errorCode: null, error: null });
    return Promise.resolve({ displaced });
  }

  markStored(jobId: string, position: number, key: string): Promise<boolean> {
    const slot = this.slot(jobId, position);
    if (slot?.state !== 'storing' || slot.objectKey !== key) return Promise.resolve(false);
    slot.state = 'stored';
    return Promise.resolve(true);
  }

  markFailed(jobId: string, position: number, code: string, error: string, giveUp: boolean): Promise<void> {
    const slot = this.open(jobId, position);
    if (slot !== undefined) {
      Object.assign(slot, { state: giveUp ? 'failed' : 'waiting', tries: slot.tries + 1, errorCode: code, error });
    }
    return Promise.resolve();
  }

  take(_tx: EntityManager, jobId: string, positions: readonly number[]): Promise<void> {
    const { rows } = this.archive;
    rows.slots = rows.slots.filter((slot) => slot.jobId !== jobId || !positions.includes(slot.position));
    return Promise.resolve();
  }

  private slot(jobId: string, position: number): Row | undefined {
    return this.archive.slotsOf(jobId).find((slot) => slot.position === position);
  }

  private open(jobId: string, position: number): Row | undefined {
    const slot = this.slot(jobId, position);
    return slot !== undefined && OPEN.includes(slot.state) ? slot : undefined;
  }
}

export class FakeCleanups implements PublicOf<CleanupRepository> {
  constructor(private readonly archive: FakeArchive) {}

  markPurged(_tx: EntityManager, galleryId: string, deletedAt: number | undefined): Promise<string[] | undefined> {
    const gallery = this.archive.rows.galleries.find(({ id }) => id === galleryId);
    if (gallery === undefined) return Promise.resolve(undefined);
    const stillDeleted = gallery.deletedAt > 0 && (deletedAt === undefined || deletedAt === gallery.deletedAt);
    if (!stillDeleted && gallery.purgedAt === 0) return Promise.resolve(undefined);
    if (stillDeleted) {
      gallery.purgedAt ||= this.archive.now;
      for (const picture of gallery.pictures) if (picture.state === 'stored') picture.state = 'missing';
    }
    const missing = gallery.pictures.filter((picture) => picture.state === 'missing');
    return Promise.resolve(missing.map((picture) => picture.objectKey).filter((key) => key !== null));
  }

  takeSlots(_tx: EntityManager, jobId: string, jobIsFinal: boolean): Promise<string[]> {
    const slots = this.archive.slotsOf(jobId);
    if (jobIsFinal) for (const slot of slots) if (slot.objectKey !== null) slot.state = 'removing';
    const taken = slots.filter((slot) => slot.state === 'removing');
    return Promise.resolve(taken.map((slot) => slot.objectKey).filter((key) => key !== null));
  }

  isTaken(jobId: string, key: string): Promise<boolean> {
    const slots = this.archive.slotsOf(jobId);
    return Promise.resolve(slots.some((slot) => slot.objectKey === key && slot.state === 'removing'));
  }

  forgetSlots(_tx: EntityManager, jobId: string): Promise<void> {
    const { rows } = this.archive;
    rows.slots = rows.slots.filter((slot) => slot.jobId !== jobId || slot.state !== 'removing');
    return Promise.resolve();
  }

  unreferenced(keys: readonly string[]): Promise<string[]> {
    const { galleries, slots } = this.archive.rows;
    const stored = galleries.flatMap(({ pictures }) => pictures.filter(({ state }) => state === 'stored'));
    const used = new Set([...stored, ...slots].map(({ objectKey }) => objectKey));
    return Promise.resolve(keys.filter((key) => !used.has(key)));
  }

  jobsWithSlots(limit: number, afterJobId: string): Promise<string[]> {
    const ids = this.archive.rows.slots.filter((slot) => slot.objectKey !== null).map((slot) => Number(slot.jobId));
    const later = [...new Set(ids)].filter((id) => id > Number(afterJobId)).sort((a, b) => a - b);
    return Promise.resolve(later.slice(0, limit).map(String));
  }
}

function blank(jobId: string, position: number, url: string): Row {
  const nothing = { errorCode: null, error: null, objectKey: null, sha256: null, contentType: null };
  return {
    jobId,
    position,
    url,
    state: 'waiting',
    tries: 0,
    ...nothing,
    width: null,
    height: null,
    bytes: null,
    thumbhash: null,
  };
}
