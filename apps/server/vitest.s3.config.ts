import { defineConfig } from 'vitest/config';

/** Runs the tests that need a real S3 server: `npm run test:s3`. */
export default defineConfig({
  test: {
    include: ['test/s3/*.s3.ts'],
    globalSetup: ['./test/global-setup.ts', './test/s3/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One server in memory answers them all.
    fileParallelism: false,
  },
});
