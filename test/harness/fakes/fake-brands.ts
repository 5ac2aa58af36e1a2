import { aliasKey } from '../../../src/lib/alias-key.js';
import { agreedBrand, givenParts, unknownBrand, type Meanings } from '../../../src/brands/brand-resolution.js';
import type { BrandAlias } from '../../../src/brands/brand-alias.entity.js';
import type { Brand } from '../../../src/brands/brand.entity.js';
import type { BrandsService, SharedName } from '../../../src/brands/brands.service.js';
import type { Page } from '../../../src/platform/graphql/connection.js';
import type { BrandReference, KnownBrand } from '../../../src/platform/intake/intake-type.js';
import type { PublicOf } from './public-of.js';

/** Brands by id; "h7" is the hashid of brand 7. Merged ones are listed under the old id with the survivor as value. */
export class FakeBrands implements PublicOf<BrandsService> {
  private readonly known: ReadonlyMap<string, KnownBrand>;

  constructor(...known: (readonly [id: string, brand: KnownBrand])[]) {
    this.known = new Map(known);
  }

  async resolve(ref: BrandReference): Promise<KnownBrand> {
    const brand = await this.find(ref);
    if (brand === undefined) throw unknownBrand(givenParts(ref), []);
    return brand;
  }

  find(ref: BrandReference): Promise<KnownBrand | undefined> {
    const given = givenParts(ref);
    const brands = [...new Set(this.known.values())];
    const meanings: Meanings = {};
    if (given.id !== undefined) meanings.id = listed(this.known.get(given.id));
    if (given.hashid !== undefined) meanings.hashid = listed(this.known.get(given.hashid.replace(/^h/, '')));
    if (given.name !== undefined) {
      const key = aliasKey(given.name);
      meanings.name = brands.filter(({ names }) => names.some((name) => aliasKey(name) === key));
    }
    return new Promise((resolve) => resolve(agreedBrand(given, meanings)));
  }

  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, KnownBrand>> {
    return Promise.resolve(new Map([...this.known].filter(([id]) => ids.includes(id))));
  }

  byId(id: string): Promise<KnownBrand | undefined> {
    return Promise.resolve(this.known.get(id));
  }

  byHashid(hashid: string): Promise<KnownBrand | undefined> {
    return this.byId(hashid.replace(/^h/, ''));
  }

  lock(): Promise<boolean> {
    return Promise.resolve(true);
  }

  hashidOf(id: string): string {
    return `h${id}`;
  }

  async row({ id }: { id?: string | null }): Promise<Brand | undefined> {
    return (await this.rows([id ?? ''])).get(id ?? '');
  }

  rows(ids: readonly string[]): Promise<Map<string, Brand>> {
    const rows = new Map<string, Brand>();
    for (const id of ids) {
      const name = this.known.get(id)?.name;
      if (name !== undefined) rows.set(id, { id, name, slug: aliasKey(name) } as Brand);
    }
    return Promise.resolve(rows);
  }

  async page(): Promise<Page<Brand>> {
    return { rows: [...(await this.rows([...this.known.keys()])).values()], hasNextPage: false };
  }

  partsOf(brandIds: readonly string[]): Promise<Map<string, Brand[]>> {
    return Promise.resolve(new Map(brandIds.map((id) => [id, []])));
  }

  sharedNamesOf(brandIds: readonly string[]): Promise<Map<string, SharedName[]>> {
    return Promise.resolve(new Map(brandIds.map((id) => [id, []])));
  }

  nearBrandsOf(names: readonly string[]): Promise<Map<string, string[]>> {
    return Promise.resolve(new Map(names.map((name) => [name, []])));
  }

  aliasesOf(brandIds: readonly string[]): Promise<Map<string, BrandAlias[]>> {
    return Promise.resolve(new Map(brandIds.map((id) => [id, []])));
  }
}

function listed(brand: KnownBrand | undefined): KnownBrand[] {
  return brand === undefined ? [] : [brand];
}
