import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Batcher } from '../lib/batcher.js';
import { isDecimalId } from '../lib/decimal-id.js';
import type { Page } from '../platform/graphql/connection.js';
import type { BrandReference, KnownBrand } from '../platform/intake/intake-type.js';
import { aliasKey } from '../lib/alias-key.js';
import type { BrandAlias } from './brand-alias.entity.js';
import { BrandHashids } from './brand-hashids.js';
import { agreedBrand, givenParts, type Meanings, unknownBrand } from './brand-resolution.js';
import type { Brand } from './brand.entity.js';
import { type BrandPage, BrandsRepository, type FoundBrands, type SharedName } from './brands.repository.js';
import { NearBrands, nearNames } from './near-names.js';

export type { BrandSort, SharedName } from './brands.repository.js';

/** Which brands a list shows. */
export interface BrandsAsked extends Omit<BrandPage, 'search'> {
  search?: string | null | undefined;
}

const MAX_SEARCH = 200;
const MAX_WORDS = 8;

interface Wanted {
  ids: string[];
  keys: string[];
}

/**
 * Which brand is meant? The door asks for every message, and the rooms above for every brand that a payload names. A
 * merged brand is answered as the one it became a part of.
 *
 * Nothing is cached, so a brand that was just added or merged is known at once in every process. Under load the messages
 * that arrive together share a statement instead (200 at once: 0.04 ms each, with 20,000 aliases; alone: 0.8 ms).
 */
@Injectable()
export class BrandsService {
  private readonly lookups: Batcher<Wanted, FoundBrands>;
  private readonly nearLookups: Batcher<string, string[]>;

  constructor(
    private readonly repository: BrandsRepository,
    private readonly hashids: BrandHashids,
  ) {
    this.lookups = new Batcher((wanted) => this.findAll(wanted), { maxItems: 200, concurrency: 2 });
    // One at a time: a crawler full of unknown brands must not take the connections of those that are known.
    this.nearLookups = new Batcher((keys) => this.nearNamesOf(keys), { maxItems: 200, concurrency: 1 });
  }

  /**
   * The brand that a payload names.
   * @throws AppError 422 `brand-unknown` (`near` names in its members), `brand-mismatch`, `brand-ambiguous`
   */
  async resolve(ref: BrandReference): Promise<KnownBrand> {
    const brand = await this.find(ref);
    if (brand !== undefined) return brand;
    const given = givenParts(ref);
    const key = given.name === undefined ? undefined : aliasKey(given.name);
    throw unknownBrand(given, key === undefined ? [] : await this.nearLookups.add(key));
  }

  /**
   * As {@link resolve}, for many at once: without the near names of what nobody knows, which cost a statement each.
   * @throws AppError 422 `brand-mismatch`, `brand-ambiguous`
   */
  async find(ref: BrandReference): Promise<KnownBrand | undefined> {
    const given = givenParts(ref);
    const hashidsId = given.hashid === undefined ? undefined : this.hashids.decode(given.hashid);
    const id = given.id === undefined ? undefined : brandId(given.id);
    const key = given.name === undefined ? undefined : aliasKey(given.name);
    const { byId, byKey } = await this.lookup({
      ids: [hashidsId, id].filter((found) => found !== undefined),
      keys: key === undefined ? [] : [key],
    });
    const meanings: Meanings = {};
    if (given.hashid !== undefined) meanings.hashid = only(byId.get(hashidsId ?? ''));
    if (given.id !== undefined) meanings.id = only(byId.get(id ?? ''));
    if (given.name !== undefined) meanings.name = byKey.get(key ?? '') ?? [];
    return agreedBrand(given, meanings);
  }

  /** By their ids, with every name that they go by; a merged one is the brand that it became a part of. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, KnownBrand>> {
    return (await this.lookup({ ids: [...ids], keys: [] })).byId;
  }

  /** @param id decimal */
  async byId(id: string): Promise<KnownBrand | undefined> {
    const wanted = brandId(id);
    if (wanted === undefined) return undefined;
    return (await this.lookup({ ids: [wanted], keys: [] })).byId.get(wanted);
  }

  async byHashid(hashid: string): Promise<KnownBrand | undefined> {
    const id = this.hashids.decode(hashid);
    return id === undefined ? undefined : this.byId(id);
  }

  /**
   * Whoever writes for a brand takes turns, until the transaction ends; rows that only refer to it are not held up.
   * @returns whether the brand stands for itself: one that was merged or deleted before we came must be looked up anew
   */
  async lock(tx: EntityManager, id: string): Promise<boolean> {
    return (await this.repository.lock(tx, id)) === 'active';
  }

  hashidOf(id: string): string {
    return this.hashids.encode(id);
  }

  /** The row itself, for its page: of a merged brand the merged one. */
  async row(ref: { id?: string | null; hashid?: string | null }): Promise<Brand | undefined> {
    const { id, hashid } = givenParts(ref);
    const ids = [
      ...(id === undefined ? [] : [brandId(id)]),
      ...(hashid === undefined ? [] : [this.hashids.decode(hashid)]),
    ];
    const [wanted] = ids;
    if (wanted === undefined || ids.some((other) => other !== wanted)) return undefined;
    return (await this.repository.byIds([wanted]))[0];
  }

  /** The rows of brands, merged ones as they are. */
  async rows(ids: readonly string[]): Promise<Map<string, Brand>> {
    return new Map((await this.repository.byIds(ids)).map((brand) => [brand.id, brand]));
  }

  /**
   * @param search part of a name in any spelling, its words in any order, or a whole hashid
   * @param after sort key of the last row of the page before
   */
  async page({ search, ...asked }: BrandsAsked): Promise<Page<Brand>> {
    const text = search?.trim() ?? '';
    if (text === '') return this.repository.page(asked);
    // Longer than any name: nobody needs to be asked.
    if (text.length > MAX_SEARCH) return { rows: [], hasNextPage: false };
    const key = aliasKey(text);
    if (key === undefined) return { rows: [], hasNextPage: false };
    return this.repository.page({ ...asked, search: { key, words: wordsOf(text), id: this.hashids.decode(text) } });
  }

  partsOf(brandIds: readonly string[]): Promise<Map<string, Brand[]>> {
    return this.repository.partsOf(brandIds);
  }

  sharedNamesOf(brandIds: readonly string[]): Promise<Map<string, SharedName[]>> {
    return this.repository.sharedNamesOf(brandIds);
  }

  /** For names that nobody knows, the ids of brands that may be meant, best first; for a page of names by one statement. */
  async nearBrandsOf(names: readonly string[]): Promise<Map<string, string[]>> {
    const near = new NearBrands(await this.repository.comparedNames());
    return new Map(names.map((name) => [name, near.of(aliasKey(name) ?? '')]));
  }

  aliasesOf(brandIds: readonly string[]): Promise<Map<string, BrandAlias[]>> {
    return this.repository.aliasesOf(brandIds);
  }

  private async lookup(wanted: Wanted): Promise<FoundBrands> {
    if (wanted.ids.length + wanted.keys.length === 0) return { byId: new Map(), byKey: new Map() };
    return this.lookups.add(wanted);
  }

  private async findAll(wanted: readonly Wanted[]): Promise<FoundBrands[]> {
    const ids = new Set(wanted.flatMap((one) => one.ids));
    const keys = new Set(wanted.flatMap((one) => one.keys));
    const found = await this.repository.find([...ids], [...keys]);
    return wanted.map(() => found);
  }

  private async nearNamesOf(keys: readonly string[]): Promise<string[][]> {
    const near = new Map<string, string[]>();
    for (const key of new Set(keys)) near.set(key, nearNames(key, await this.repository.candidatesLike(key)));
    return keys.map((key) => near.get(key) ?? []);
  }
}

/** As the database writes it; undefined for what is no id that a brand can have. */
function brandId(text: string): string | undefined {
  const id = text.trim().replace(/^0+(?=\d)/, '');
  return isDecimalId(id) ? id : undefined;
}

function only(brand: KnownBrand | undefined): KnownBrand[] {
  return brand === undefined ? [] : [brand];
}

/** Of words, single letters are left out: "H & M" is one name and not any two with an h and an m. */
function wordsOf(text: string): string[] | null {
  const words = text
    .split(/\s+/)
    .map((word) => aliasKey(word))
    .filter((key) => key !== undefined);
  const asked = words.length > 1 && words.length <= MAX_WORDS && words.every((word) => [...word].length > 1);
  return asked ? words : null;
}
