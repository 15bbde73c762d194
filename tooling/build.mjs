/** Builds the app; server and recorder run from their sources. */
import { join } from 'node:path';
import { precompress } from './precompress.mjs';
import { environment, fingerprint, must, onceFor, root } from './project.mjs';

/** What the built app is made of. */
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

/** Builds the app unless the last build was made of these very sources. */
export async function buildApp() {
  await onceFor('.cache/app-build', fingerprint(SOURCES), async () => {
    console.log('Building the app …');
    // Also when a test asks for it, whose own setting would bring React's development build.
    const env = environment({ NODE_ENV: 'production' });
    await must('vite', ['build', 'apps/app', '--logLevel', 'warn'], { env });
    await precompress(join(root, 'apps/app/dist'));
  });
}
