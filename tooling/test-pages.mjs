/**
 * `npm run test:pages`: every page by its address in all ten languages and the pseudo-locale, signed out and
 * signed in, measured on the narrowest screen, and the words for every code. `npm test` does so in two or three of them.
 */
import { prepareTests } from './prepare-tests.mjs';
import { playwrightTier, runTiers } from './tiers.mjs';

const env = { ...(await prepareTests()), PAGES_LANGUAGES: 'all' };
const args = ['/pages.spec', 'codes.spec', ...process.argv.slice(2)];
await runTiers([playwrightTier('every page in every language', { env, args })]);
