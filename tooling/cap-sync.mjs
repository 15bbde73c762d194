/**
 * `npm run cap:sync`: builds the app, copies it into the Android and iOS projects, and tests them. Doesn't need Android
 * Studio or Xcode. docs/phones.md lists the tools for the remaining steps.
 */
import { installDependencies } from './install.mjs';
import { getServerOrigin, syncPhones } from './phones/sync.mjs';
import { checkHostNode, environment, run } from './project.mjs';

checkHostNode();
await installDependencies();
await syncPhones(getServerOrigin());
// The tests sync a separate copy of the projects, because `npm test` must not replace the server URL set here.
process.exit(await run('vitest', ['run', 'tooling/phones'], { env: environment() }));
