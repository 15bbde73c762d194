/**
 * `npm run cap:sync`: builds the app, puts it into the projects for Android and iOS, and tests them. Nothing of the
 * phones' makers is needed for this; docs/phones.md says what is for the rest.
 */
import { installDependencies } from './install.mjs';
import { serverOrigin, syncPhones } from './phones/sync.mjs';
import { checkHostNode, environment, run } from './project.mjs';

checkHostNode();
await installDependencies();
await syncPhones(serverOrigin());
// The tests sync a copy: `npm test` must not put another server into what was made here.
process.exit(await run('vitest', ['run', 'tooling/phones'], { env: environment() }));
