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
/** Executes queries: either the pool or a transaction. */
export type Queries = Database | Transaction;
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
export type NewRow<Table extends keyof Tables> = Insertable<Tables[Table]>;

/** Parses int8 (OID 20) as a number, because all values are below 2^53. */
pg.types.setTypeParser(20, Number);

/** Maximum connections per process. PostgreSQL allows 100 by default, which is enough for several processes. */
const poolSize = 16;

/** Timeouts that PostgreSQL enforces on a connection, so that it can't block other connections. */
export interface DatabaseTimeouts {
  /** Maximum run time of a statement, in milliseconds. */
  readonly statement: number;
  /** Maximum wait for a lock, in milliseconds. */
  readonly lock: number;
  /** Maximum time that a transaction may be idle, in milliseconds. */
  readonly idle: number;
}

/**
 * Timeouts for API calls. Clients give up after ten seconds (limits.requestTimeoutMs), but allow a minute for a long
 * page.
 */
export const callTimeouts: DatabaseTimeouts = { statement: 60_000, lock: 8_000, idle: 30_000 };
/** Timeouts for background jobs. */
export const jobTimeouts: DatabaseTimeouts = { statement: 600_000, lock: 60_000, idle: 120_000 };

/**
 * Opens a connection pool. It connects on the first query.
 * @param timeouts omitted for command-line tools and migrations
 */
export function openDatabase(
  url: string,
  onConnectionLost: (error: Error) => void,
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
  // Without these listeners, losing a connection without a running query would crash the process. The pool reports idle
  // connections. A connection held by a transaction reports its own loss.
  pool.on('error', onConnectionLost);
  pool.on('acquire', (client) => client.on('error', onConnectionLost));
  pool.on('release', (_error, client) => client.off('error', onConnectionLost));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool };
}

const migrationFolder = new URL('../migrations/', import.meta.url);

/** Migrates the tables to this version, or to the migration `to`. Several processes may run it concurrently. */
export async function migrate(db: Database, to?: string): Promise<void> {
  const { error } = await (to === undefined
    ? createMigrator(db).migrateToLatest()
    : createMigrator(db).migrateTo(to));
  if (error !== undefined) throw error;
}

/** Migrates over a separate connection without timeouts. */
export async function migrateAt(
  url: string,
  onConnectionLost: (error: Error) => void,
): Promise<void> {
  const { db } = openDatabase(url, onConnectionLost);
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** Returns the names of all migrations, in order. */
export async function migrationNames(): Promise<string[]> {
  const names = await readdir(fileURLToPath(migrationFolder));
  return names
    .filter((name) => /^\d{4}-.*\.ts$/.test(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

function createMigrator(db: Database): Migrator {
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
 * Increments the account's revision and locks the account until the transaction ends. Every transaction that writes
 * synced rows calls this first and stores the revision in them.
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
 * Locks the account until the transaction ends, like `nextRevision`, but without assigning a new revision. For
 * transactions that find out only under the lock whether there is anything to write.
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
