import { defineConfig } from 'vitest/config';
import { patience } from '../../vitest.config.ts';

export default defineConfig({
  test: { globalSetup: ['./test/global-setup.ts'], ...patience },
});
