/** A PostgreSQL server for tests. Each database is a copy of one template. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';

interface TestPostgres {
  /** URL of the migrated template. Nothing may connect to it, because PostgreSQL can't copy a database in use. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Starts a real PostgreSQL with a migrated template database. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-test-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  // No test simulates a power failure, so nothing needs to reach the disk.
  for (const setting of ['fsync', 'full_page_writes']) {
    await execute(postgres.url, `alter system set ${setting} = off`);
  }
  await execute(postgres.url, 'select pg_reload_conf()');
  const { db } = openDatabase(postgres.url, (error) => console.error(error));
  await migrate(db);
  await db.destroy();
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a copy of the template, or an empty database.
 * @param templateUrl URL of a {@link TestPostgres}
 */
export async function createTestDatabase(
  templateUrl: string,
  { empty = false } = {},
): Promise<TestDatabase> {
  const template = new URL(templateUrl);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new URL('/postgres', template).href;
  const source = empty ? 'template0' : template.pathname.slice(1);
  // Copying files is faster than the default, which writes every page to the log.
  await execute(admin, `create database ${name} template ${source} strategy file_copy`);
  return {
    url: new URL(`/${name}`, template).href,
    drop: async () => void (await execute(admin, `drop database if exists ${name} with (force)`)),
  };
}

/** Runs a statement over a separate connection, and returns its rows. */
export async function execute<Result extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Result[]> {
  const client = new pg.Client(url);
  // If a connection is lost while idle, the next statement fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Result>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
