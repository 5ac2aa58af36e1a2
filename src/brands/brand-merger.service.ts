import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../auth/actor.js';
import { AuditLog } from '../auth/audit-log.service.js';
import { BrandRecords } from '../jobs/brand-records.service.js';
import { JobQueue } from '../jobs/job-queue.js';
import { type CappedCount, UpdateRecords } from '../jobs/update-records.service.js';
import { Transactions } from '../platform/database/transactions.js';
import { BrandCatalogueRepository } from './brand-catalogue.repository.js';
import { brandIsPart, brandNotFound, mergeIntoItself, showsConflict } from './brand-refusals.js';
import { BrandEditorRepository } from './brand-editor.repository.js';
import { brandMergeJob } from './brand-merge-payload.js';
import { RECORDS_A_BATCH } from './brand-merge.handler.js';
import { BrandReferenceRegistry } from './brand-reference-registry.js';
import type { BrandConflict } from './brand-references.js';
import type { Brand } from './brand.entity.js';
import { BrandsService } from './brands.service.js';

/** What a merge did, or would do. */
export interface BrandMerge {
  /** Whether it was done. */
  done: boolean;
  brand: Brand;
  survivor: Brand;
  galleries: number;
  records: CappedCount;
  conflicts: BrandConflict[];
}

/**
 * Makes one brand a part of another. Its galleries and the newest of its records move in one transaction, under the locks
 * that every crawl of the two takes; the rest of a long history follows by a job. Its hashid, id and names go on leading
 * to the survivor.
 */
@Injectable()
export class BrandMerger {
  constructor(
    private readonly catalogue: BrandCatalogueRepository,
    private readonly editing: BrandEditorRepository,
    private readonly references: BrandReferenceRegistry,
    private readonly history: UpdateRecords,
    private readonly records: BrandRecords,
    private readonly brands: BrandsService,
    private readonly queue: JobQueue,
    private readonly log: AuditLog,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @param dryRun to learn what it would do: conflicts are listed then instead of thrown
   * @throws AppError 400 `brand-merge-itself`, 404 `brand-not-found`, 409 `brand-merged`, `shows-conflict`
   */
  async merge(actor: Actor, id: string, into: string, dryRun: boolean): Promise<BrandMerge> {
    if (id === into) throw mergeIntoItself();
    const counts = await this.history.countsOfBrands([id]);
    const found = await this.transactions.run(async (tx) => {
      const { brand, survivor } = await this.lock(tx, id, into);
      const conflicts = await this.references.conflicts(tx, id, into);
      const galleries = await this.references.count(tx, id);
      if (dryRun) return { conflicts, galleries };
      if (conflicts.length > 0) throw showsConflict(brand, survivor, conflicts);
      await this.mergeIn(tx, actor, brand, survivor);
      return { conflicts, galleries };
    });
    if (!dryRun) this.queue.announce();
    const rows = await this.brands.rows([id, into]);
    const [brand, survivor] = [rows.get(id), rows.get(into)];
    if (brand === undefined || survivor === undefined) throw brandNotFound(brand === undefined ? id : into);
    return { ...found, done: !dryRun, brand, survivor, records: counts.get(id) ?? { count: 0, capped: false } };
  }

  private async lock(tx: EntityManager, id: string, into: string): Promise<{ brand: Brand; survivor: Brand }> {
    await this.catalogue.takeTurn(tx);
    const rows = await this.editing.lock(tx, [id, into]);
    const [brand, survivor] = [rows.get(id), rows.get(into)];
    if (brand === undefined) throw brandNotFound(id);
    if (survivor === undefined) throw brandNotFound(into);
    for (const one of [brand, survivor]) if (one.mergedInto !== null) throw brandIsPart(one);
    return { brand, survivor };
  }

  private async mergeIn(tx: EntityManager, actor: Actor, brand: Brand, survivor: Brand): Promise<void> {
    const [from, into] = [brand.id, survivor.id];
    await this.references.move(tx, { from: brand, into: survivor, actor: actor.name });
    await this.editing.markMerged(tx, from, into);
    const keyPrefixes = this.references.keyPrefixes(from, into);
    await this.records.reassign(tx, { from, into, keyPrefixes, limit: RECORDS_A_BATCH });
    await this.queue.enqueue(tx, [brandMergeJob(brand, survivor, actor.name)]);
    await this.log.record(
      tx,
      actor,
      { action: 'brand.merged', entity: 'brand', entityId: from, detail: `into ${survivor.name} (id ${into})` },
      { action: 'brand.took_over', entity: 'brand', entityId: into, detail: `${brand.name} (id ${from})` },
    );
  }
}
