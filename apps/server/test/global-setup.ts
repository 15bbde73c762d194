import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the PostgreSQL server that all test files share. Each creates its own database. */
    postgresUrl: string;
  }
}

/** Starts one real PostgreSQL for the entire run, with a migrated template database. */
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
