import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { type BrandDraft, BrandEditor } from '../brands/brand-editor.service.js';
import type { BrandType } from '../brands/brand.type.js';
import { BrandsService } from '../brands/brands.service.js';
import { aliasKey } from '../lib/alias-key.js';
import { AppError } from '../lib/app-error.js';
import { Transactions } from '../platform/database/transactions.js';
import type { Page } from '../platform/graphql/connection.js';
import { type UnknownBrand, UnknownBrandsRepository } from './unknown-brands.repository.js';

export type { UnknownBrand } from './unknown-brands.repository.js';

/**
 * What the door turned away for its brand, and what editors make of it. Their deed and the clearing of the name, in all
 * its spellings, are one transaction: of two editors who take the same name, the second is told that it is gone.
 */
@Injectable()
export class UnknownBrands {
  constructor(
    private readonly repository: UnknownBrandsRepository,
    private readonly brands: BrandsService,
    private readonly editor: BrandEditor,
    private readonly log: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  /** @param crawler only what this one sent. @throws AppError 404 `crawler-unknown` */
  async page(first: number, after?: readonly string[], crawler?: string | null): Promise<Page<UnknownBrand>> {
    if (!crawler) return this.repository.page(first, after, undefined);
    const id = await this.repository.crawlerId(crawler);
    if (id !== undefined) return this.repository.page(first, after, id);
    throw new AppError('crawler-unknown', `There is no crawler "${crawler}".`, { status: 404 });
  }

  /** Brands that may be meant by each of these names, best first: two statements for a page of names. */
  async nearOf(names: readonly string[]): Promise<Map<string, BrandType[]>> {
    const near = await this.brands.nearBrandsOf(names);
    const rows = await this.brands.rows([...new Set([...near.values()].flat())]);
    return new Map([...near].map(([name, ids]) => [name, ids.flatMap((id) => rows.get(id) ?? [])]));
  }

  /**
   * Makes it a brand, under its right name when that is another: then it becomes an alias.
   * @throws AppError 404 `unknown-brand-not-found`, and as BrandEditor.create
   */
  async make(actor: Actor, name: string, draft: Partial<BrandDraft>): Promise<BrandType> {
    const id = await this.transactions.run(async (tx) => {
      await this.clear(tx, name);
      return this.editor.createIn(tx, actor, { ...draft, name: draft.name ?? name, aliases: [name] });
    });
    return this.row(id);
  }

  /** @throws AppError 404 `unknown-brand-not-found`, and as BrandEditor.addAlias */
  async alias(actor: Actor, name: string, brandId: string): Promise<BrandType> {
    await this.transactions.run(async (tx) => {
      await this.clear(tx, name);
      await this.editor.addAliasIn(tx, actor, brandId, name);
    });
    return this.row(brandId);
  }

  /** Takes it off the list until it is turned away again. @throws AppError 404 `unknown-brand-not-found` */
  dismiss(actor: Actor, name: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      const cleared = await this.clear(tx, name);
      const deed = { action: 'unknown_brand.dismissed', entity: 'unknown_brand', entityId: name };
      await this.log.record(tx, actor, deed);
      return cleared;
    });
  }

  private async clear(tx: EntityManager, name: string): Promise<number> {
    const key = aliasKey(name);
    const spellings = (await this.repository.names(tx)).filter(
      (other) => other === name || (key !== undefined && aliasKey(other) === key),
    );
    const cleared = spellings.includes(name) ? await this.repository.clear(tx, spellings) : 0;
    if (cleared > 0) return cleared;
    throw new AppError(
      'unknown-brand-not-found',
      `Nothing that was turned away for "${name}" is left. Somebody may have seen to it already.`,
      { status: 404 },
    );
  }

  private async row(id: string): Promise<BrandType> {
    const brand = (await this.brands.rows([id])).get(id);
    if (brand !== undefined) return brand;
    throw new AppError('brand-not-found', `There is no brand ${id}. Somebody may have deleted it.`, { status: 404 });
  }
}
