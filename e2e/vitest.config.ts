import { defineConfig } from 'vitest/config';
import { shared } from '../vitest.config.ts';

/** Real transfers over a paced radio, and real browsers. */
export default defineConfig({ test: { include: ['**/*.test.ts'], ...shared } });
