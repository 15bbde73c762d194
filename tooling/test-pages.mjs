/**
 * `npm run test:pages`: every page by its address in all ten languages and the pseudo-locale, signed out and
 * signed in, and what opens over them, measured on the narrowest screen; the words for every code; and axe's walks
 * narrow and wide, light and dark, from left to right and from right to left. `npm test` does so in one or two
 * of the languages, and has axe look narrow and light from left to right, wide and dark from right to left.
 */
import { prepareTests } from './prepare-tests.mjs';
import { playwrightTier, runTiers } from './tiers.mjs';

const env = { ...(await prepareTests()), PAGES_LANGUAGES: 'all', PAGES_LOOKS: 'all' };
const args = [
  '/pages.spec',
  'overlays.spec',
  'codes.spec',
  'accessibility',
  ...process.argv.slice(2),
];
await runTiers([playwrightTier('every page in every language and look', { env, args })]);
