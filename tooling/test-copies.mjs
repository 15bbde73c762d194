/**
 * `npm run test:copies`: plays 2,000 random histories of a recorder, phones, the cloud and a foreign client, and
 * checks every deletion (apps/server/test/copies). `npm test` plays 40 of them. `HISTORIES` sets another number,
 * `SEED` repeats a run.
 */
import { installDependencies } from './install.mjs';
import { checkHostNode } from './project.mjs';
import { runTiers, vitestTier } from './tiers.mjs';

checkHostNode();
await installDependencies();
const env = { HISTORIES: process.env.HISTORIES ?? '2000' };
const args = ['apps/server/test/copies', ...process.argv.slice(2)];
await runTiers([vitestTier('every copy in random histories', { env, args })]);
