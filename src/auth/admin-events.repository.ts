import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';

/** Something that was done. */
export interface NewAdminEvent {
  actorId: string;
  actor: string;
  action: string;
  entity: string;
  entityId: string;
  detail: string | null;
}

export interface AdminEventView extends NewAdminEvent {
  id: string;
  /** Unix seconds. */
  at: number;
}

export interface AdminEventFilter {
  entity?: string | undefined;
  entityId?: string | undefined;
}

/** `admin_events`: who did what. Only ever added to. */
@Injectable()
export class AdminEventsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(tx: EntityManager, events: readonly NewAdminEvent[]): Promise<void> {
    await tx.query(
      `INSERT INTO admin_events (at, actor_id, actor, action, entity, entity_id, detail)
       SELECT ${SQL_NOW}, n.actor_id, n.actor, n.action, n.entity, n.entity_id, n.detail
       FROM unnest($1::bigint[], $2::text[], $3::varchar[], $4::varchar[], $5::text[], $6::text[])
         AS n (actor_id, actor, action, entity, entity_id, detail)`,
      [
        events.map((event) => event.actorId),
        events.map((event) => event.actor),
        events.map((event) => event.action),
        events.map((event) => event.entity),
        events.map((event) => event.entityId),
        events.map((event) => event.detail),
      ],
    );
  }

  /** Newest first; one more than asked for is read, to know whether there are more. */
  async page(first: number, after: string | undefined, filter: AdminEventFilter): Promise<AdminEventView[]> {
    return this.dataSource.query(
      `SELECT id::text, at::float8, actor_id::text AS "actorId", actor, action, entity, entity_id AS "entityId", detail
       FROM admin_events
       WHERE ($2::bigint IS NULL OR id < $2) AND ($3::text IS NULL OR entity = $3) AND ($4::text IS NULL OR entity_id = $4)
       ORDER BY id DESC LIMIT $1`,
      [first + 1, after ?? null, filter.entity ?? null, filter.entityId ?? null],
    );
  }
}
