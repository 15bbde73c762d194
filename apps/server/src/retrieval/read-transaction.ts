import { sql } from 'kysely';
import type { Database, Transaction } from '../db/database.ts';

/** PostgreSQL's settings for reading the indexes of texts. */
const settings = {
  // The planner doesn't know that terms and revisions are specific to an account, nor how expensive large values are to read,
  // so it would scan whole tables.
  enable_seqscan: 'off',
  // Compiling a statement takes longer than running it.
  jit: 'off',
  // The mentions of a question's terms fit into memory.
  work_mem: '32MB',
};

/** Runs queries on one snapshot of the database, with indexes wherever possible. */
export const readIndexed = <Result>(
  db: Database,
  run: (trx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const assignments = Object.entries(settings).map(
        ([name, value]) => sql`set_config(${sql.lit(name)}, ${sql.lit(value)}, true)`,
      );
      await sql`select ${sql.join(assignments)}`.execute(trx);
      return run(trx);
    });
