import type { EntityManager } from 'typeorm';
import type { FoundGallery } from '../../../src/galleries/crawl-decision.js';
import type { GalleriesRepository, GalleryContent } from '../../../src/galleries/galleries.repository.js';
import type { GalleryFinderRepository } from '../../../src/galleries/gallery-finder.repository.js';
import type { GatheredPicture } from '../../../src/galleries/picture-verdict.js';
import { keyText, type GalleryKey } from '../../../src/galleries/show.js';
import type { FakeArchive, FakeGallery, FakePicture } from './fake-archive.js';
import type { PublicOf } from './public-of.js';

export class FakeGalleries implements PublicOf<GalleriesRepository> {
  constructor(private readonly archive: FakeArchive) {}

  lockStreetStyle(): Promise<void> {
    return Promise.resolve();
  }

  insert(_tx: EntityManager, { show, pictures, cover }: GalleryContent): Promise<string> {
    const gallery: FakeGallery = {
      id: this.archive.nextId(),
      keys: [show.key],
      categorySource: show.categorySource,
      suspect: false,
      status: 'pending_review',
      deletedAt: 0,
      purgedAt: 0,
      revision: 1,
      cover,
      sources: [],
      pictures: pictures.map(pictureRow),
      events: [],
    };
    this.archive.rows.galleries.push(gallery);
    return Promise.resolve(gallery.id);
  }

  overwrite(_tx: EntityManager, id: string, { pictures, cover }: GalleryContent): Promise<string[]> {
    const gallery = this.archive.gallery(id);
    const old = gallery.pictures.map((picture) => picture.objectKey).filter((key) => key !== null);
    gallery.status = 'pending_review';
    gallery.revision++;
    gallery.purgedAt = 0;
    gallery.suspect = false;
    gallery.cover = cover;
    gallery.pictures = pictures.map(pictureRow);
    return Promise.resolve(old);
  }

  addKey(_tx: EntityManager, galleryId: string, key: GalleryKey): Promise<void> {
    const taken = this.archive.rows.galleries.some(({ keys }) => keys.some((other) => keyText(other) === keyText(key)));
    if (!taken) this.archive.gallery(galleryId).keys.push(key);
    return Promise.resolve();
  }

  addSources(_tx: EntityManager, galleryId: string, _brandId: string, sources: readonly string[]): Promise<void> {
    const gallery = this.archive.gallery(galleryId);
    gallery.sources = [...new Set([...gallery.sources, ...sources])];
    return Promise.resolve();
  }

  setSuspect(_tx: EntityManager, id: string, suspect: boolean): Promise<void> {
    this.archive.gallery(id).suspect = suspect;
    return Promise.resolve();
  }

  addEvent(_tx: EntityManager, event: Parameters<GalleriesRepository['addEvent']>[1]): Promise<void> {
    const { galleryId, ...happened } = event;
    this.archive.gallery(galleryId).events.push(happened);
    return Promise.resolve();
  }
}

export class FakeGalleryFinder implements PublicOf<GalleryFinderRepository> {
  constructor(private readonly archive: FakeArchive) {}

  candidates(key: GalleryKey, source: string | undefined): Promise<FoundGallery[]> {
    const { galleries } = this.archive.rows;
    const ofBrand = galleries.filter((gallery) => gallery.keys.some((own) => own.brandId === key.brandId));
    const bySource = ofBrand.filter((gallery) => source !== undefined && gallery.sources.includes(source));
    const butMarket = ({ year, term, category, detail }: GalleryKey): string =>
      [year, term, category, detail].join(':');
    const byKey = ofBrand.flatMap((gallery) =>
      gallery.keys
        .filter((own) => butMarket(own) === butMarket(key))
        .map((own) => ({ ...found(gallery, 'key'), market: own.market })),
    );
    return Promise.resolve([...bySource.map((gallery) => found(gallery, 'source')), ...byKey]);
  }

  lockCandidates(_tx: EntityManager, key: GalleryKey, source: string | undefined): Promise<FoundGallery[]> {
    return this.candidates(key, source);
  }

  byId(id: string): Promise<FoundGallery[]> {
    const ones = this.archive.rows.galleries.filter((gallery) => gallery.id === id);
    return Promise.resolve(ones.map((gallery) => found(gallery, 'person')));
  }

  lockById(_tx: EntityManager, id: string): Promise<FoundGallery[]> {
    return this.byId(id);
  }

  sharedPictures(_tx: EntityManager, galleryId: string, identities: readonly string[]): Promise<number> {
    const { pictures } = this.archive.gallery(galleryId);
    return Promise.resolve(pictures.filter((picture) => identities.includes(picture.identity)).length);
  }
}

function found(gallery: FakeGallery, by: FoundGallery['by']): FoundGallery {
  const { id, status, deletedAt, revision, categorySource, keys, pictures } = gallery;
  const [own] = keys;
  return {
    id,
    status,
    deletedAt,
    revision,
    categorySource,
    year: own?.year ?? null,
    term: own?.term ?? null,
    category: own?.category ?? '',
    market: own?.market ?? null,
    pictureCount: pictures.filter((picture) => picture.state === 'stored').length,
    by,
  };
}

function pictureRow({ position, look, identity, failure, slot }: GatheredPicture): FakePicture {
  return failure === null
    ? { position, look, identity, state: 'stored', errorCode: null, objectKey: slot.objectKey }
    : { position, look, identity, state: 'failed', errorCode: failure, objectKey: null };
}
