/** Builds the app. The server and the virtual recorder run from source. */
import { join } from 'node:path';
import { precompress } from './precompress.mjs';
import { environment, fingerprint, root, runIfChanged, runOrExit } from './project.mjs';

/** The files and folders the build depends on. */
const SOURCES = [
  'apps/app/src',
  'apps/app/public',
  'apps/app/index.html',
  'apps/app/package.json',
  'apps/app/scripts',
  'apps/app/vite.config.ts',
  'packages',
  'package-lock.json',
  'tooling/precompress.mjs',
];

/** Builds the app, unless its sources haven't changed since the last build. */
export async function buildApp() {
  await runIfChanged('.cache/app-build', fingerprint(SOURCES), async () => {
    console.log('Building the app …');
    // Tests set NODE_ENV to `test`, which would select React's development build.
    const env = environment({ NODE_ENV: 'production' });
    await runOrExit('vite', ['build', 'apps/app', '--logLevel', 'warn'], { env });
    await precompress(join(root, 'apps/app/dist'));
  });
}
