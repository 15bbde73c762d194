import { defineConfig } from 'vitest/config';
import { shared } from '../vitest.config.ts';

/** The server in the image needs a database. */
export default defineConfig({
  test: { name: 'deploy', globalSetup: ['../apps/server/test/global-setup.ts'], ...shared },
});
