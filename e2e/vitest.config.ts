import { defineConfig } from 'vitest/config';
import { patience } from '../vitest.config.ts';

/** Real transfers over a paced radio, and real browsers. */
export default defineConfig({ test: { include: ['**/*.test.ts'], ...patience } });
