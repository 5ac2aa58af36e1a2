import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { BrandRecords } from '../jobs/brand-records.service.js';
import { aliasKey } from '../lib/alias-key.js';
import { Transactions } from '../platform/database/transactions.js';
import { BrandCatalogueRepository } from './brand-catalogue.repository.js';
import { BrandEditorRepository } from './brand-editor.repository.js';
import {
  aliasIsName,
  aliasUnknown,
  brandChanged,
  brandIsPart,
  brandInUse,
  brandNotFound,
  entryOrRefusal,
  slugTaken,
} from './brand-refusals.js';
import { aliasEntryOf, brandEntryOf, type BrandEntry } from './brand-line.js';
import { BrandReferenceRegistry } from './brand-reference-registry.js';
import type { Brand } from './brand.entity.js';
import { BrandsService } from './brands.service.js';

/** A brand that is to be made. */
export interface BrandDraft {
  name: string;
  nameZh?: string | null | undefined;
  /** Made of the name when left out. */
  slug?: string | null | undefined;
  aliases?: readonly string[] | null | undefined;
}

/** What is to be different; what is left out stays. */
export interface BrandChanges {
  name?: string | null | undefined;
  /** null takes it away. */
  nameZh?: string | null | undefined;
  slug?: string | null | undefined;
}

/**
 * What an editor does to a brand; each deed and the log's word of it are written together. Whoever changes the catalogue
 * takes turns, and then locks the brand's row, which those who write for the brand lock too.
 */
@Injectable()
export class BrandEditor {
  constructor(
    private readonly catalogue: BrandCatalogueRepository,
    private readonly editing: BrandEditorRepository,
    private readonly references: BrandReferenceRegistry,
    private readonly records: BrandRecords,
    private readonly brands: BrandsService,
    private readonly log: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError 422 `brand-invalid`, 409 `slug-taken` */
  async create(actor: Actor, draft: BrandDraft): Promise<Brand> {
    return this.reread(await this.transactions.run((tx) => this.createIn(tx, actor, draft)));
  }

  /** As {@link create}, within a transaction of the caller's. @returns the brand's id */
  async createIn(tx: EntityManager, actor: Actor, draft: BrandDraft): Promise<string> {
    const { name, nameZh, slug, aliases } = draft;
    const entry = entryOrRefusal(() => brandEntryOf({ name, name_zh: nameZh, slug, aliases }));
    await this.catalogue.takeTurn(tx);
    await this.assertFree(tx, entry.slug);
    const id = await this.catalogue.insert(tx, undefined, entry);
    await this.catalogue.addAliases(tx, id, entry.aliases);
    const detail = `${entry.name} (${entry.slug})`;
    await this.log.record(tx, actor, { action: 'brand.created', entity: 'brand', entityId: id, detail });
    return id;
  }

  /**
   * @param revision the one that the editor looked at
   * @throws AppError 409 `brand-changed` when it has another by now, `brand-merged`, `slug-taken`, 404, 422 `brand-invalid`
   */
  async update(actor: Actor, id: string, changes: BrandChanges, revision: number): Promise<Brand> {
    const outdated = await this.transactions.run((tx) => this.updateIn(tx, actor, id, changes, revision));
    if (outdated === undefined) return this.reread(id);
    const { rows } = await this.log.page(10, undefined, { entity: 'brand', entityId: id });
    throw brandChanged(outdated, rows);
  }

  /** @throws AppError 404 `brand-not-found`, 409 `brand-merged`, 422 `brand-invalid` */
  async addAlias(actor: Actor, id: string, alias: string): Promise<Brand> {
    await this.transactions.run((tx) => this.addAliasIn(tx, actor, id, alias));
    return this.reread(id);
  }

  /** As {@link addAlias}, within a transaction of the caller's. */
  async addAliasIn(tx: EntityManager, actor: Actor, id: string, alias: string): Promise<void> {
    const entry = entryOrRefusal(() => aliasEntryOf(alias));
    await this.lockActive(tx, id);
    if ((await this.catalogue.addAliases(tx, id, [entry])) === 0) return;
    const deed = { action: 'brand.alias_added', entity: 'brand', entityId: id, detail: entry.alias };
    await this.log.record(tx, actor, deed);
  }

  /** @throws AppError 404 `brand-not-found`, `alias-not-found`, 409 `alias-is-name` */
  async removeAlias(actor: Actor, id: string, alias: string): Promise<Brand> {
    const key = aliasKey(alias) ?? '';
    await this.transactions.run(async (tx) => {
      const brand = await this.lockAny(tx, id);
      const isName = [brand.name, brand.nameZh, brand.slug].some((name) => name !== null && aliasKey(name) === key);
      if (isName) throw aliasIsName(brand, alias);
      const detail = await this.editing.removeAlias(tx, id, key);
      if (detail === undefined) throw aliasUnknown(brand, alias);
      await this.log.record(tx, actor, { action: 'brand.alias_removed', entity: 'brand', entityId: id, detail });
    });
    return this.reread(id);
  }

  /**
   * Only what nothing refers to can go. @returns the brand as it was
   * @throws AppError 404 `brand-not-found`, 409 `brand-in-use`, `brand-merged`
   */
  delete(actor: Actor, id: string): Promise<Brand> {
    return this.transactions.run(async (tx) => {
      const brand = await this.lockActive(tx, id);
      const uses = await this.references.uses(tx, id);
      if (await this.records.hasRecords(tx, id)) uses.push('update records');
      if (await this.editing.hasParts(tx, id)) uses.push('brands that became a part of it');
      if (uses.length > 0) throw brandInUse(brand, uses);
      await this.editing.delete(tx, id);
      const detail = `${brand.name} (${brand.slug})`;
      await this.log.record(tx, actor, { action: 'brand.deleted', entity: 'brand', entityId: id, detail });
      return brand;
    });
  }

  /** @returns the brand as it is, when it is not the one that was looked at */
  private async updateIn(
    tx: EntityManager,
    actor: Actor,
    id: string,
    changes: BrandChanges,
    revision: number,
  ): Promise<Brand | undefined> {
    const brand = await this.lockActive(tx, id);
    if (brand.revision !== revision) return brand;
    const name = changes.name ?? brand.name;
    const nameZh = changes.nameZh === undefined ? brand.nameZh : changes.nameZh;
    const entry = entryOrRefusal(() => brandEntryOf({ name, name_zh: nameZh, slug: changes.slug ?? brand.slug }));
    const values = { name: entry.name, nameZh: entry.nameZh ?? null, slug: entry.slug };
    const detail = differences(brand, values);
    if (detail === '') return undefined;
    if (values.slug !== brand.slug) await this.assertFree(tx, values.slug);
    await this.editing.revise(tx, id, values);
    await this.editing.setOwnNames(tx, id, oncePerKey(entry.aliases));
    await this.log.record(tx, actor, { action: 'brand.updated', entity: 'brand', entityId: id, detail });
    return undefined;
  }

  private async assertFree(tx: EntityManager, slug: string): Promise<void> {
    const [owner] = await this.catalogue.withIdOrSlug(tx, undefined, slug);
    if (owner !== undefined) throw slugTaken(owner);
  }

  private async lockAny(tx: EntityManager, id: string): Promise<Brand> {
    await this.catalogue.takeTurn(tx);
    const brand = (await this.editing.lock(tx, [id])).get(id);
    if (brand === undefined) throw brandNotFound(id);
    return brand;
  }

  private async lockActive(tx: EntityManager, id: string): Promise<Brand> {
    const brand = await this.lockAny(tx, id);
    if (brand.mergedInto !== null) throw brandIsPart(brand);
    return brand;
  }

  private async reread(id: string): Promise<Brand> {
    const brand = (await this.brands.rows([id])).get(id);
    if (brand === undefined) throw brandNotFound(id);
    return brand;
  }
}

function differences(old: Brand, now: Pick<Brand, 'name' | 'nameZh' | 'slug'>): string {
  return (['name', 'nameZh', 'slug'] as const)
    .filter((member) => old[member] !== now[member])
    .map((member) => `${member}: ${old[member] ?? '–'} → ${now[member] ?? '–'}`)
    .join(', ');
}

/** A name that is the slug as well is the name: one row holds both. */
function oncePerKey(aliases: BrandEntry['aliases']): BrandEntry['aliases'] {
  return aliases.filter((one, place) => aliases.findIndex(({ aliasKey: key }) => key === one.aliasKey) === place);
}
