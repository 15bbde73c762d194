/**
 * `npm run test:pages`: opens every page and overlay in all ten languages and the pseudo-locale, and checks its layout
 * on the narrowest screen. Also runs axe on narrow and wide screens, in light and dark mode, left to right and right to
 * left. `npm test` covers only some of the languages and two of these combinations. `PAGES_LANGUAGES` selects languages
 * (`ja,ko`). With `PAGES_SCREENSHOTS`, the pages and overlays are
 * checked at a common phone size (390 × 844) instead, and their screenshots are written to that folder.
 */
import { prepareTests } from './prepare-tests.mjs';
import { playwrightTier, runTiers } from './tiers.mjs';

const { PAGES_LANGUAGES = 'all' } = process.env;
const env = { ...(await prepareTests()), PAGES_LANGUAGES, PAGES_LOOKS: 'all' };
const args = ['/pages.spec', 'overlays.spec', 'accessibility', ...process.argv.slice(2)];
await runTiers([playwrightTier('every page in every language and look', { env, args })]);
