/**
 * `npm test`: brings what the tests need, runs every tier, the fast ones first, and ends with one line
 * that counts them all. With CI=true nothing may skip.
 */
import { prepareTests } from './prepare-tests.mjs';
import { playwrightTier, runTiers, vitestTier } from './tiers.mjs';

const tools = await prepareTests();
const chosen = process.argv.slice(2);
await runTiers([
  vitestTier('units, properties, contracts, server', { env: tools, args: chosen }),
  playwrightTier('end to end in Chromium', { env: tools, args: chosen }),
]);
