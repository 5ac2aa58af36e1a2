import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import type { Reassignment } from '../jobs/brand-records.service.js';
import {
  type BrandConflict,
  type BrandMove,
  BrandReferences,
  type BrandReferencesContract,
} from './brand-references.js';

/** Every `@BrandReferences` of the application as one: the brands know nothing of what refers to them. */
@Injectable()
export class BrandReferenceRegistry implements OnModuleInit {
  private readonly all = new Set<BrandReferencesContract>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders({ metadataKey: BrandReferences.KEY })) {
      this.all.add(instance as BrandReferencesContract);
    }
  }

  async conflicts(tx: EntityManager, from: string, into: string): Promise<BrandConflict[]> {
    const found: BrandConflict[] = [];
    for (const references of this.all) found.push(...(await references.conflicts(tx, from, into)));
    return found;
  }

  async count(tx: EntityManager, brandId: string): Promise<number> {
    let count = 0;
    for (const references of this.all) count += await references.count(tx, brandId);
    return count;
  }

  async move(tx: EntityManager, move: BrandMove): Promise<void> {
    for (const references of this.all) await references.move(tx, move);
  }

  async uses(tx: EntityManager, brandId: string): Promise<string[]> {
    const uses: string[] = [];
    for (const references of this.all) uses.push(...(await references.uses(tx, brandId)));
    return uses;
  }

  keyPrefixes(from: string, into: string): Reassignment['keyPrefixes'] {
    return [...this.all].map((references) => ({
      from: references.subjectPrefix(from),
      into: references.subjectPrefix(into),
    }));
  }
}
