import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Options of every project. Vitest reads them from each project, not from the root configuration. */
export const shared = {
  // One worker per core, but at least three: most files spend about as much time waiting for the database, the disk or
  // other processes as they spend computing. On two cores, the third worker saves a third of the time.
  maxWorkers: Math.max(3, availableParallelism()),
  // In milliseconds. Generous, because a test that takes one second on an idle machine can take twenty on a busy one.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // No test downloads models from their publishers.
  env: { MODELS: 'off' },
  setupFiles: fileURLToPath(new URL('./tooling/seed-properties.ts', import.meta.url)),
} as const;

const inFolder = (parent: string) =>
  readdirSync(new URL(`./${parent}`, import.meta.url)).map((name) => `${parent}/${name}`);

/** All tests except the end-to-end tests in `e2e/tests`, which Playwright runs. */
export default defineConfig({
  test: {
    projects: [...inFolder('packages'), ...inFolder('apps'), 'e2e', 'tooling'].map((root) =>
      existsSync(new URL(`./${root}/vitest.config.ts`, import.meta.url))
        ? root
        : { root, test: { name: basename(root), ...shared } },
    ),
  },
});
