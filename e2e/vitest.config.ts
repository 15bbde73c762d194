import { defineConfig } from 'vitest/config';

/** Real transfers over a paced radio, and real browsers: a minute is not yet a hang. */
export default defineConfig({
  test: { include: ['**/*.test.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
});
