import type { DataSource } from 'typeorm';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
}

export interface Explained {
  sql: string;
  /** Pages that the statement touched, in memory or not. */
  buffers: number;
  /** Tables that it read from end to end. */
  seqScans: string[];
  /** The most rows that it ever sorted at once. */
  sorted: number;
  indexes: string[];
  plan: PlanNode;
}

/**
 * Runs whatever `work` sends to the database, each statement twice: once under EXPLAIN ANALYZE and once for real. All of it
 * is rolled back. Taken from the repositories' own calls and not from copies, so that a plan is that of the real SQL.
 */
export async function explain(
  dataSource: DataSource,
  work: (recorded: DataSource) => Promise<unknown>,
): Promise<Explained[]> {
  const runner = dataSource.createQueryRunner();
  const seen: Explained[] = [];
  const query = async (sql: string, params?: unknown[]): Promise<unknown> => {
    await runner.query('SAVEPOINT before_explain');
    const [row] = (await runner.query(`EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${sql}`, params)) as {
      'QUERY PLAN': { Plan: PlanNode }[];
    }[];
    await runner.query('ROLLBACK TO SAVEPOINT before_explain');
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('The database gave no plan');
    seen.push(read(sql, plan));
    return runner.query(sql, params);
  };
  await runner.startTransaction();
  try {
    await work({ query, manager: { query } } as unknown as DataSource);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
  return seen;
}

function read(sql: string, plan: PlanNode): Explained {
  const nodes = flat(plan);
  const sorts = nodes.filter((node) => /Sort/.test(node['Node Type']));
  return {
    sql,
    buffers: nodes.reduce((sum, node) => sum + ownBuffers(node), 0),
    seqScans: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? ''),
    sorted: Math.max(0, ...sorts.flatMap((node) => (node.Plans ?? []).map((input) => input['Actual Rows']))),
    indexes: nodes.map((node) => node['Index Name']).filter((name) => name !== undefined),
    plan,
  };
}

function flat(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}

/** A node's numbers include its children's, but not those of a writing CTE that nobody reads from. */
function ownBuffers(node: PlanNode): number {
  const children = (node.Plans ?? []).reduce((sum, child) => sum + total(child), 0);
  return Math.max(0, total(node) - children);
}

function total(node: PlanNode): number {
  return node['Shared Hit Blocks'] + node['Shared Read Blocks'];
}
