/**
 * `npm test`: installs the tests' dependencies, runs the test tiers, fastest first, and prints the total counts. With
 * CI=true, skipped tests fail the run.
 */
import { prepareTests } from './prepare-tests.mjs';
import { playwrightTier, runTiers, vitestTier } from './tiers.mjs';

const tools = await prepareTests();
const args = process.argv.slice(2);
await runTiers([
  vitestTier('units, properties, contracts, server', { env: tools, args }),
  playwrightTier('end to end in Chromium', { env: tools, args }),
]);
