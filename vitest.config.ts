import { defineConfig } from 'vitest/config';

/** Everything that needs no browser driven from outside; the walks through the app are Playwright's. */
export default defineConfig({
  test: { projects: ['packages/*', 'apps/*', 'e2e', 'tooling'] },
});
