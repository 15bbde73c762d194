/**
 * `npm run test:faults`: runs random scenarios (histories) with a recorder, two phones and a server, with injected
 * faults. Also runs scenarios reported by users of recorders, and scenarios with planted defects (e2e/faults/run.ts).
 * `--seeds` sets the number of scenarios, 200 by default. `--first` plays only scenarios, starting with that
 * seed. `--seed` repeats a single scenario. `npm test` runs only five.
 */
import { installDependencies } from './install.mjs';
import { checkHostNode, projectNode, run } from './project.mjs';

checkHostNode();
await installDependencies();
process.exit(await run(projectNode, ['e2e/faults/run.ts', ...process.argv.slice(2)]));
