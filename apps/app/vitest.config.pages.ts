import { defineConfig } from 'vitest/config';
import { pageTests, shared } from '../../vitest.config.ts';
import { readLicenses } from './scripts/licenses.ts';
import { towns } from './scripts/towns.ts';

/** The page tests. They run in Node, with the document of a simulated browser as large as a phone. */
export default defineConfig({
  plugins: [towns()],
  define: {
    __APP_VERSION__: JSON.stringify('1.2.3'),
    __LICENSES__: JSON.stringify(readLicenses()),
  },
  test: {
    ...shared,
    name: 'pages',
    include: [pageTests],
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { width: 390, height: 844 } },
    setupFiles: [shared.setupFiles, './src/testing/set-up.ts'],
  },
});
