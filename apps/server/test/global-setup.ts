import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '../src/db/database.ts';
import { startPostgres } from '../src/embedded/postgres.ts';
import { makeSmallEngine } from './small-engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL server that all test files share. Each file creates its own database. */
    postgresUrl: string;
    /** `ENGINES_DIR` for all test servers; null for the default. */
    enginesDir: string | null;
  }
}

/**
 * Starts one real PostgreSQL with a migrated template database for the entire run, and creates the small speech engine.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-test-'));
  const postgres = await startPostgres({ dataDir, log: () => undefined });
  const { db } = openDatabase(postgres.url, (error) => console.error(error));
  await migrate(db);
  await db.destroy();
  const enginesDir = await mkdtemp(path.join(tmpdir(), 'linnet-engines-'));
  project.provide('postgresUrl', postgres.url);
  project.provide('enginesDir', await makeSmallEngine(enginesDir));
  return async () => {
    await postgres.stop();
    for (const folder of [dataDir, enginesDir]) await rm(folder, { recursive: true, force: true });
  };
}
