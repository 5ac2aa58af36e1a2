import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SQL_NOW } from '../platform/database/sql-clock.js';
import { type KeptReceipt, keyText, type MessageKey } from './receipt.js';

export interface NewMessage extends MessageKey {
  bodySha256: Buffer;
  jobId: string;
  subject: string;
  warnings: string[];
}

/** `ingest_messages`: which messages came, and what they were answered. Private to the door. */
@Injectable()
export class IngestMessagesRepository {
  /**
   * Inserts those that are new. Give them sorted by key: batches that overlap in another order deadlock.
   * @returns when each new one was received, unix seconds, by {@link keyText}
   */
  async insert(tx: EntityManager, messages: readonly NewMessage[]): Promise<Map<string, number>> {
    const rows = await tx.query<{ crawler_id: string; message_id: string; received_at: string }[]>(
      `INSERT INTO ingest_messages (crawler_id, message_id, body_sha256, job_id, received_at, subject, warnings)
       SELECT crawler_id, message_id, body_sha256, job_id, ${SQL_NOW}, subject, warnings
       FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::bigint[], $5::text[], $6::jsonb[])
         WITH ORDINALITY AS m (crawler_id, message_id, body_sha256, job_id, subject, warnings, position)
       ORDER BY position
       ON CONFLICT (crawler_id, message_id) DO NOTHING
       RETURNING crawler_id, message_id, received_at`,
      [
        messages.map((message) => message.crawlerId),
        messages.map((message) => message.messageId),
        messages.map((message) => message.bodySha256),
        messages.map((message) => message.jobId),
        messages.map((message) => message.subject),
        messages.map((message) => JSON.stringify(message.warnings)),
      ],
    );
    return new Map(
      rows.map((row) => [keyText({ crawlerId: row.crawler_id, messageId: row.message_id }), Number(row.received_at)]),
    );
  }

  /** Forgets the oldest of the messages that came longer ago than so many seconds. @returns how many */
  async forget(tx: EntityManager, olderThanSeconds: number, limit: number): Promise<number> {
    const [, forgotten] = await tx.query<[unknown[], number]>(
      `WITH old AS MATERIALIZED (
         SELECT crawler_id, message_id FROM ingest_messages
         WHERE received_at < ${SQL_NOW} - $1::bigint ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM ingest_messages m USING old
       WHERE m.crawler_id = old.crawler_id AND m.message_id = old.message_id`,
      [olderThanSeconds, limit],
    );
    return forgotten;
  }

  /** What was kept of these messages, by {@link keyText}. */
  async find(tx: EntityManager, keys: readonly MessageKey[]): Promise<Map<string, KeptReceipt>> {
    const rows = await tx.query<
      {
        crawler_id: string;
        message_id: string;
        body_sha256: Buffer;
        job_id: string;
        received_at: string;
        subject: string;
        warnings: string[];
      }[]
    >(
      `SELECT crawler_id, message_id, body_sha256, job_id, received_at, subject, warnings FROM ingest_messages
       WHERE (crawler_id, message_id) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))`,
      [keys.map((key) => key.crawlerId), keys.map((key) => key.messageId)],
    );
    return new Map(
      rows.map((row) => [
        keyText({ crawlerId: row.crawler_id, messageId: row.message_id }),
        {
          bodySha256: row.body_sha256,
          jobId: row.job_id,
          receivedAt: Number(row.received_at),
          subject: row.subject,
          warnings: row.warnings,
        },
      ]),
    );
  }
}
