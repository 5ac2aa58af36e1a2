import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isBadData, sqlState } from '../platform/database/pg-errors.js';
import { Transactions } from '../platform/database/transactions.js';
import { aliasKey } from '../lib/alias-key.js';
import { BrandCatalogueRepository, type BrandIdentity } from './brand-catalogue.repository.js';
import { BrandHashids } from './brand-hashids.js';
import { type BrandEntry, BrandEntryError } from './brand-line.js';

// About one in two hundred hashids of a foreign salt decodes by accident, to an enormous number. Such a number must not
// become an id, and the sequence must not go on from there; whoever has such ids gives them as "id".
const MAX_ID_BY_HASHID = 2_147_483_647n;

export interface PutBrand {
  id: string;
  hashid: string;
  slug: string;
  result: 'added' | 'changed' | 'unchanged';
  /** The name it had until now, when it had another. */
  formerName: string | undefined;
  /** Names that another brand has too. */
  shared: { alias: string; id: string; name: string }[];
}

/**
 * Puts brands into the catalogue. Putting the same again changes nothing, and no alias is ever taken away. For the
 * commands and, later, the editors; what reads brands is BrandsService.
 */
@Injectable()
export class BrandCatalogue {
  constructor(
    private readonly repository: BrandCatalogueRepository,
    private readonly hashids: BrandHashids,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Adds the brand, or brings the one with its id (or, without an id, its slug) up to date: whole or not at all.
   * @throws BrandEntryError when the entry contradicts itself or another brand
   */
  async put(entry: BrandEntry): Promise<PutBrand> {
    const id = this.idOf(entry);
    try {
      return await this.transactions.run((tx) => this.putIn(tx, id, entry));
    } catch (error) {
      if (!isBadData(error)) throw error;
      throw new BrandEntryError(`the database refuses it (${sqlState(error) ?? ''})`, { cause: error });
    }
  }

  private async putIn(tx: EntityManager, id: string | undefined, entry: BrandEntry): Promise<PutBrand> {
    await this.repository.takeTurn(tx);
    const found = await this.repository.withIdOrSlug(tx, id, entry.slug);
    const known = found.find((brand) => (id === undefined ? isMeant(brand, entry) : brand.id === id));
    const slug = slugFor(entry, id, known, found);
    const values = { name: entry.name, nameZh: entry.nameZh, slug };
    const changed = known !== undefined && (await this.repository.update(tx, known.id, values));
    const brandId = known?.id ?? (await this.repository.insert(tx, id, values));
    const aliases = await this.repository.addAliases(tx, brandId, entry.aliases);
    return {
      id: brandId,
      hashid: this.hashids.encode(brandId),
      slug,
      result: known === undefined ? 'added' : changed || aliases > 0 ? 'changed' : 'unchanged',
      formerName: known?.name === entry.name ? undefined : known?.name,
      shared: await this.repository.sharedNames(tx, brandId),
    };
  }

  /** The id that was given, or that the given hashid stands for. */
  private idOf({ id, hashid }: BrandEntry): string | undefined {
    if (hashid === undefined) return id;
    const meant = this.hashids.decode(hashid);
    if (id === undefined ? meant !== undefined && BigInt(meant) <= MAX_ID_BY_HASHID : id === meant) return meant;
    const ours = id === undefined ? '' : ` Here ${id} is ${this.hashids.encode(id)}.`;
    throw new BrandEntryError(
      `the hashid ${hashid} was made with another salt than this server's.${ours} Set BRAND_HASHID_SALT, ` +
        `BRAND_HASHID_ALPHABET and BRAND_HASHID_MIN_LENGTH as the earlier service had them`,
    );
  }
}

/**
 * Whether an entry without an id is about this brand. A given slug says so; one that was made of the name does only
 * if the names agree: "Row" must not rename The Row, whose slug is row.
 */
function isMeant(brand: BrandIdentity, entry: BrandEntry): boolean {
  return brand.slug === entry.slug && (entry.slugIsGiven || aliasKey(brand.name) === aliasKey(entry.name));
}

/** A given slug must be free. One made of the name gets the id added when another brand has it: the same at each import. */
function slugFor(
  entry: BrandEntry,
  id: string | undefined,
  known: BrandIdentity | undefined,
  found: readonly BrandIdentity[],
): string {
  // A brand keeps its address when only its name changes.
  if (known !== undefined && !entry.slugIsGiven) return known.slug;
  const owner = found.find((brand) => brand.slug === entry.slug && brand.id !== known?.id);
  if (owner === undefined) return entry.slug;
  if (id !== undefined && !entry.slugIsGiven) return `${entry.slug}-${id}`;
  throw new BrandEntryError(
    `the slug ${entry.slug} belongs to ${owner.name} (id ${owner.id}) already; give another slug, or the id`,
  );
}
