import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestPostgres } from '@linnet/server/testing/database';
import { makeSmallEngine } from '@linnet/server/testing/small-engine';

/**
 * Starts the PostgreSQL server and creates the small speech engine that `Stack` uses by default. Returns a function
 * that removes them. If the system has no speech engine, creates none, and `npm start` uses its own.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-engines-'));
  const engine = await makeSmallEngine(folder);
  const postgres = await startTestPostgres();
  // Playwright's workers inherit the environment.
  if (engine !== null) process.env.E2E_SMALL_ENGINE = engine;
  process.env.E2E_POSTGRES = postgres.url;
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
