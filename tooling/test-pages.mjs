/**
 * `npm run test:pages`: opens every page by its URL in all ten languages and the pseudo-locale, signed out and signed
 * in, opens every overlay, and measures them on the narrowest screen. Also checks the message of every error code, and
 * runs axe on narrow and wide screens, in light and dark, left to right and right to left. `npm test` covers one or two
 * languages, and runs axe only narrow, light and left to right, and wide, dark and right to left.
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
