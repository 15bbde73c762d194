/** `npm run build`: installs missing dependencies and builds the app, for processes that don't start with `npm start`. */
import { buildApp } from './build.mjs';
import { installDependencies } from './install.mjs';
import { checkHostNode } from './project.mjs';
import { exitWithNpm, installSignalHandlers } from './signals.mjs';

installSignalHandlers();
exitWithNpm();
checkHostNode();
await installDependencies();
await buildApp();
