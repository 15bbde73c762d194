/**
 * `npm run test:copies`: simulates 2,000 random scenarios (histories) with a recorder, phones, the cloud and a
 * third-party client, and checks every deletion (apps/server/test/copies). `npm test` simulates only 40. `HISTORIES`
 * sets the number, and `SEED` repeats a run.
 */
import { installDependencies } from './install.mjs';
import { checkHostNode } from './project.mjs';
import { runTiers, vitestTier } from './tiers.mjs';

checkHostNode();
await installDependencies();
const env = { HISTORIES: process.env.HISTORIES ?? '2000' };
const args = ['apps/server/test/copies', ...process.argv.slice(2)];
await runTiers([vitestTier('copies of recordings in random histories', { env, args })]);
