import { type DataSource, MigrationExecutor } from 'typeorm';

// Any fixed number will do; it only has to be the same in every process of this system.
const MIGRATION_LOCK = 7_265_118_302;

/**
 * Brings the schema up to date. Processes that start together wait for each other: the lock belongs to the transaction,
 * since a session's lock is lost in a transaction-mode pooler. All pending migrations come in together or not at all.
 * @returns names of the migrations that ran
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'none';
    const ran = await executor.executePendingMigrations();
    await runner.commitTransaction();
    return ran.map((migration) => migration.name);
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    throw error;
  } finally {
    await runner.release();
  }
}
