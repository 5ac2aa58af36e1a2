import type { TestDatabase } from './database.js';

type Query = TestDatabase['query'];

interface Relation {
  oid: string;
  name: string;
  comment: string | null;
}

const HEAD = '-- The schema that the migrations make. Written by "npm run snapshots"; a diff here is a review.';

/**
 * The schema of a database as SQL, read from its catalog: the embedded PostgreSQL brings no pg_dump, and pg_dump's words
 * change with its version. Sorted by name, so that it does not depend on which migration came first; the columns stay in
 * their order.
 */
export async function schemaSql(query: Query): Promise<string> {
  const parts = [HEAD, ...(await sequences(query))];
  const tables = await query<Relation>(
    `SELECT c.oid::text AS oid, c.relname AS name, obj_description(c.oid, 'pg_class') AS comment
     FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
     ORDER BY c.relname COLLATE "C"`,
  );
  for (const table of tables) parts.push(await tableSql(query, table));
  return `${parts.join('\n\n')}\n`;
}

/** Sequences that no column owns; the others follow from their column's default. */
async function sequences(query: Query): Promise<string[]> {
  const rows = await query<{ name: string; type: string }>(
    `SELECT c.relname AS name, format_type(s.seqtypid, NULL) AS type
     FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid
     WHERE c.relnamespace = current_schema()::regnamespace
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i'))
     ORDER BY c.relname COLLATE "C"`,
  );
  return rows.map(({ name, type }) => `CREATE SEQUENCE ${name} AS ${type};`);
}

async function tableSql(query: Query, { oid, name, comment }: Relation): Promise<string> {
  const lines = [...(await columns(query, oid)), ...(await constraints(query, oid))];
  const statements = [`CREATE TABLE ${name} (\n${lines.map((line) => `  ${line}`).join(',\n')}\n);`];
  if (comment !== null) statements.push(`COMMENT ON TABLE ${name} IS '${comment.replaceAll("'", "''")}';`);
  statements.push(...(await indexes(query, oid)), ...(await triggers(query, oid)));
  return statements.join('\n');
}

async function columns(query: Query, table: string): Promise<string[]> {
  const rows = await query<{ line: string }>(
    `SELECT concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
       CASE WHEN a.attcollation <> t.typcollation THEN 'COLLATE ' || quote_ident(l.collname) END,
       'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
       CASE WHEN a.attnotnull THEN 'NOT NULL' END) AS line
     FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
     LEFT JOIN pg_collation l ON l.oid = a.attcollation
     LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table],
  );
  return rows.map(({ line }) => line);
}

/** Not the NOT NULL constraints, which PostgreSQL 18 lists here too: they stand beside their columns. */
async function constraints(query: Query, table: string): Promise<string[]> {
  const rows = await query<{ name: string; definition: string }>(
    `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conrelid = $1 AND contype IN ('p', 'u', 'f', 'c', 'x')
     ORDER BY position(contype IN 'pufcx'), conname COLLATE "C"`,
    [table],
  );
  return rows.map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`);
}

/** Those that no constraint brings with it. */
async function indexes(query: Query, table: string): Promise<string[]> {
  const rows = await query<{ definition: string }>(
    `SELECT pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indrelid = $1 AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype <> 'f')
     ORDER BY c.relname COLLATE "C"`,
    [table],
  );
  return rows.map(
    ({ definition }) => `${definition.replace(/ ON (?:ONLY )?\w+\./, ' ON ').replace(' USING btree', '')};`,
  );
}

async function triggers(query: Query, table: string): Promise<string[]> {
  const rows = await query<{ definition: string }>(
    `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = $1 AND NOT tgisinternal
     ORDER BY tgname COLLATE "C"`,
    [table],
  );
  return rows.map(({ definition }) => `${definition};`);
}
