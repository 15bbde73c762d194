import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Milliseconds after which a test is taken to hang. Machines are noisy: what takes a second on one takes
 * twenty on another that has more to do, and no test is about time.
 */
export const patience = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
};

const inFolder = (parent: string) =>
  readdirSync(new URL(`./${parent}`, import.meta.url)).map((name) => `${parent}/${name}`);

/** Everything that needs no browser driven from outside; the walks through the app are Playwright's. */
export default defineConfig({
  test: {
    projects: [...inFolder('packages'), ...inFolder('apps'), 'e2e', 'tooling'].map((root) =>
      existsSync(new URL(`./${root}/vitest.config.ts`, import.meta.url))
        ? root
        : { root, test: { name: basename(root), ...patience } },
    ),
  },
});
