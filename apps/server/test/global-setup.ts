import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { makeSmallEngine } from './small-engine.ts';
import { startTestPostgres } from './template-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL server that all test files share. Each file creates its own database. */
    postgresUrl: string;
    /** `ENGINES_DIR` for all test servers, or null for the default. */
    enginesDir: string | null;
  }
}

/** Starts one real PostgreSQL server for the entire run, and creates the small speech engine. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  const enginesDir = await mkdtemp(path.join(tmpdir(), 'linnet-engines-'));
  project.provide('postgresUrl', postgres.url);
  project.provide('enginesDir', await makeSmallEngine(enginesDir));
  return async () => {
    await postgres.stop();
    await rm(enginesDir, { recursive: true, force: true });
  };
}
