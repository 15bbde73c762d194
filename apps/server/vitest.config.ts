import { defineConfig } from 'vitest/config';
import { shared } from '../../vitest.config.ts';

export default defineConfig({
  test: { globalSetup: ['./test/global-setup.ts'], ...shared },
});
