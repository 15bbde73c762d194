import { defineConfig } from 'vitest/config';
import { shared } from '../vitest.config.ts';

/** Tests with real transfers over a rate-limited radio, and with real browsers. */
export default defineConfig({ test: { include: ['**/*.test.ts'], ...shared } });
