/**
 * `npm run cap:sync`: builds the app, puts it into the projects for Android and iOS, and tests them. Nothing of the
 * phones' makers is needed for this; docs/phones.md says what is for the rest.
 */
import { installDependencies } from './install.mjs';
import { checkHostNode, environment, run } from './project.mjs';

checkHostNode();
await installDependencies();
// The tests sync first: there is one way to do it.
process.exit(await run('vitest', ['run', 'tooling/phones'], { env: environment() }));
