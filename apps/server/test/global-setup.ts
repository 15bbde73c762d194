import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the PostgreSQL that all test files share; each makes a database of its own in it. */
    postgresUrl: string;
  }
}

/** One real PostgreSQL for the whole run, with a migrated database that others are copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-test-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  const { db } = openDatabase(postgres.url, (error) => console.error(error));
  await migrate(db);
  await db.destroy();
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
