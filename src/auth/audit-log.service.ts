import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { storable } from '../lib/text.js';
import { pageOf, type Page } from '../platform/graphql/connection.js';
import type { Actor } from './actor.js';
import { AdminEventsRepository, type AdminEventFilter, type AdminEventView } from './admin-events.repository.js';

export type { AdminEventFilter, AdminEventView } from './admin-events.repository.js';

/** What was done, and to what. */
export interface Deed {
  /** `brand.merged`: what it was done to, and what was done, 64 characters at most. */
  action: string;
  /** `brand`, `job`, `crawler`, `user`, … */
  entity: string;
  entityId: string;
  /** In words, for people; 2,000 characters are kept. */
  detail?: string;
}

const MAX_DETAIL = 2_000;

/** Who did what. An event is written in the transaction of the deed, so that there is neither without the other. */
@Injectable()
export class AuditLog {
  constructor(private readonly events: AdminEventsRepository) {}

  async record(tx: EntityManager, actor: Actor, ...deeds: readonly Deed[]): Promise<void> {
    if (deeds.length === 0) return;
    await this.events.add(
      tx,
      deeds.map(({ action, entity, entityId, detail }) => ({
        actorId: actor.id,
        actor: storable(actor.name),
        action,
        entity,
        entityId,
        detail: detail === undefined ? null : storable(detail, MAX_DETAIL),
      })),
    );
  }

  async page(first: number, after?: string, filter: AdminEventFilter = {}): Promise<Page<AdminEventView>> {
    return pageOf(await this.events.page(first, after, filter), first);
  }
}
