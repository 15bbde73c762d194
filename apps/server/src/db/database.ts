import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Insertable, Transaction as KyselyTransaction, Selectable } from 'kysely';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import pg from 'pg';
import type { Tables } from './schema.ts';

export type Database = Kysely<Tables>;
export type Transaction = KyselyTransaction<Tables>;
/** Whatever can run a query: the pool, or a transaction of it. */
export type Queries = Database | Transaction;
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;

/** PostgreSQL's int8 (20) and numeric sums stay below 2^53 here. */
pg.types.setTypeParser(20, Number);

/** Connections of one process; PostgreSQL's default of 100 serves several processes. */
const poolSize = 16;

/** How long PostgreSQL lets a connection keep others waiting. */
export interface DatabaseTimeouts {
  /** Milliseconds a statement may run. */
  readonly statement: number;
  /** Milliseconds a statement may wait for a lock. */
  readonly lock: number;
  /** Milliseconds a transaction may stay open without a statement. */
  readonly idle: number;
}

/** For answering calls: clients give up after ten seconds (limits.requestTimeoutMs), and a long page takes a minute. */
export const callTimeouts: DatabaseTimeouts = { statement: 60_000, lock: 8_000, idle: 30_000 };
/** For jobs, which nobody waits for. */
export const jobTimeouts: DatabaseTimeouts = { statement: 600_000, lock: 60_000, idle: 120_000 };

/**
 * Opens a pool. Nothing is connected until the first query.
 * @param timeouts none if absent: for tools that one operator runs, and for migrations
 */
export function openDatabase(
  url: string,
  onIdleError: (error: Error) => void,
  timeouts?: DatabaseTimeouts,
): { db: Database; pool: pg.Pool } {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    ...(timeouts && {
      statement_timeout: timeouts.statement,
      lock_timeout: timeouts.lock,
      idle_in_transaction_session_timeout: timeouts.idle,
    }),
  });
  // An idle connection that the server closes would otherwise end the process.
  pool.on('error', onIdleError);
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

const migrationFolder = new URL('../migrations/', import.meta.url);

/**
 * Brings the tables to this version, or to what they were after the migration `to`; safe to run from
 * several processes at once.
 */
export async function migrate(db: Database, to?: string): Promise<void> {
  const { error } = await (to === undefined
    ? migratorOf(db).migrateToLatest()
    : migratorOf(db).migrateTo(to));
  if (error !== undefined) throw error;
}

/** Migrates over a connection of its own, whose statements may take as long as they need. */
export async function migrateAt(url: string, onIdleError: (error: Error) => void): Promise<void> {
  const { db } = openDatabase(url, onIdleError);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** Every migration there is, in order. */
export async function migrationNames(): Promise<string[]> {
  const names = await readdir(fileURLToPath(migrationFolder));
  return names
    .filter((name) => /^\d{4}-.*\.ts$/.test(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

function migratorOf(db: Database): Migrator {
  const provider = {
    async getMigrations(): Promise<Record<string, Migration>> {
      const load = async (name: string): Promise<[string, Migration]> => [
        name,
        await import(new URL(`${name}.ts`, migrationFolder).href),
      ];
      return Object.fromEntries(await Promise.all((await migrationNames()).map(load)));
    },
  };
  return new Migrator({ db, provider });
}

/**
 * Raises the account's revision counter and locks the account until the transaction ends. Every
 * transaction that writes rows phones see calls this first and stamps the rows with the number.
 */
export async function nextRevision(trx: Transaction, accountId: string): Promise<number> {
  const { rev } = await trx
    .updateTable('accounts')
    .set({ rev: sql<number>`rev + 1` })
    .where('id', '=', accountId)
    .returning('rev')
    .executeTakeFirstOrThrow();
  return rev;
}

/**
 * Locks the account until the transaction ends, as `nextRevision` does, without raising its revision:
 * for transactions that find out under the lock whether there is anything to write.
 */
export async function lockAccount(trx: Transaction, accountId: string): Promise<number> {
  const { rev } = await trx
    .selectFrom('accounts')
    .select('rev')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return rev;
}
