/**
 * `npm run test:pages`: opens every page and overlay in all ten languages and the pseudo-locale, and checks their
 * layout on the narrowest screen. Also checks the message of every error code, and runs axe on narrow and wide screens,
 * in light and dark mode, left to right and right to left. `npm test` covers only some languages and two of these
 * combinations. `PAGES_LANGUAGES` selects languages (`ja,ko`). With `PAGES_SCREENSHOTS`, the pages and overlays are
 * checked on a common phone instead (390 × 844), and their screenshots are written to that folder.
 */
import { prepareTests } from './prepare-tests.mjs';
import { playwrightTier, runTiers } from './tiers.mjs';

const { PAGES_LANGUAGES = 'all' } = process.env;
const env = { ...(await prepareTests()), PAGES_LANGUAGES, PAGES_LOOKS: 'all' };
const args = [
  '/pages.spec',
  'overlays.spec',
  'codes.spec',
  'accessibility',
  ...process.argv.slice(2),
];
await runTiers([playwrightTier('every page in every language and look', { env, args })]);
