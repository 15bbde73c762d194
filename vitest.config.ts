import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/** What every project says by itself: Vitest takes these from a project alone, never from what gathers them. */
export const shared = {
  // A file for each core: most of them wait as long as they reckon, for a database, a disk or another process.
  maxWorkers: '100%',
  // Milliseconds after which a test is taken to hang. Machines are noisy: what takes a second on one takes twenty
  // on another that has more to do, and no test is about time.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

const inFolder = (parent: string) =>
  readdirSync(new URL(`./${parent}`, import.meta.url)).map((name) => `${parent}/${name}`);

/** Everything that needs no browser driven from outside; the walks through the app are Playwright's. */
export default defineConfig({
  test: {
    projects: [...inFolder('packages'), ...inFolder('apps'), 'e2e', 'tooling'].map((root) =>
      existsSync(new URL(`./${root}/vitest.config.ts`, import.meta.url))
        ? root
        : { root, test: { name: basename(root), ...shared } },
    ),
  },
});
