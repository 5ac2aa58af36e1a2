import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** A picture that a gallery says is there. */
export interface StoredPicture {
  galleryId: string;
  position: number;
  key: string;
  sha256: string | null;
  hasThumbnail: boolean;
}

const STORED_PICTURE = `gallery_id::text AS "galleryId", position, object_key AS key, sha256,
  thumbhash IS NOT NULL AS "hasThumbnail"`;

/** What the archive says of the store's objects, for the commands that compare the two. */
@Injectable()
export class ObjectAuditRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Of these keys, those that no picture and no slot names, whatever its state: what is to be removed is known too. */
  async unknown(keys: readonly string[]): Promise<Set<string>> {
    const rows: { key: string }[] = await this.dataSource.query(
      `SELECT key FROM unnest($1::text[]) AS key
       WHERE NOT EXISTS (SELECT 1 FROM gallery_pictures p WHERE p.object_key = key)
         AND NOT EXISTS (SELECT 1 FROM ingest_pictures s WHERE s.object_key = key)`,
      [keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * Stored pictures with keys behind `after`, up to and with `upTo`, in the order of a store's list. The index has the
   * database's own order, so each call reads the table: ask for large stretches. Rejected: a cursor, whose transaction
   * would be open for as long as the store lists.
   */
  storedBetween(after: string, upTo: string | undefined): Promise<StoredPicture[]> {
    return this.dataSource.query(
      `SELECT ${STORED_PICTURE} FROM gallery_pictures
       WHERE state = 'stored' AND object_key COLLATE "C" > $1 AND ($2::text IS NULL OR object_key COLLATE "C" <= $2)
       ORDER BY object_key COLLATE "C"`,
      [after, upTo ?? null],
    );
  }

  /** In the database's own order, by the index. */
  storedAfter(after: string, limit: number): Promise<StoredPicture[]> {
    return this.dataSource.query(
      `SELECT ${STORED_PICTURE} FROM gallery_pictures WHERE state = 'stored' AND object_key > $1 ORDER BY object_key LIMIT $2`,
      [after, limit],
    );
  }

  async countStoredAfter(after: string): Promise<number> {
    const rows: { count: string }[] = await this.dataSource.query(
      `SELECT count(*) AS count FROM gallery_pictures WHERE state = 'stored' AND object_key > $1`,
      [after],
    );
    return Number(rows[0]?.count ?? 0);
  }

  /** Whether the archive still says so: what was read a while ago may have been cleaned up since. */
  async isStored(key: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      `SELECT 1 FROM gallery_pictures WHERE object_key = $1 AND state = 'stored'`,
      [key],
    );
    return rows.length > 0;
  }
}
