/**
 * `npm run test:faults`: runs random scenarios (histories) with a recorder, two phones and a server, with injected
 * faults. Also runs scenarios reported by users of recorders, and scenarios with planted defects (e2e/faults).
 * `--seeds` sets the number of scenarios, 200 by default. `--seed` repeats a single scenario. `npm test` runs only
 * five.
 */
import { parseArgs } from 'node:util';
import { installDependencies } from './install.mjs';
import { checkHostNode } from './project.mjs';
import { runTiers, vitestTier } from './tiers.mjs';

checkHostNode();
await installDependencies();
const { values } = parseArgs({ options: { seeds: { type: 'string' }, seed: { type: 'string' } } });
for (const [name, value] of Object.entries(values)) {
  if (/^\d+$/.test(value)) continue;
  console.error(`--${name} must be a whole number, not "${value}"`);
  process.exit(2);
}
const env =
  values.seed === undefined ? { FAULT_SEEDS: values.seeds ?? '200' } : { FAULT_SEED: values.seed };
await runTiers([vitestTier('histories with faults', { env, args: ['e2e/faults'] })]);
