/**
 * `npm run test:faults`: plays random histories of a recorder, two phones and a server with faults, faults that users of
 * recorders have suffered, and planted defects (e2e/faults/run.ts). `--seeds` sets the number of histories, 200 by
 * default; `--seed` replays one. `npm test` plays only five.
 */
import { installDependencies } from './install.mjs';
import { checkHostNode, projectNode, run } from './project.mjs';

checkHostNode();
await installDependencies();
process.exit(await run(projectNode, ['e2e/faults/run.ts', ...process.argv.slice(2)]));
