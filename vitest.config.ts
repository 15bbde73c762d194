import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Options of every project. Vitest reads them from each project, not from the root configuration. */
export const shared = {
  // One worker for each core: most files spend as much time waiting (database, disk, other processes) as computing.
  maxWorkers: '100%',
  // In milliseconds. Generous, because a test that takes one second on an idle machine can take twenty on a busy one.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
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
