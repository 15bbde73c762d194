/** `npm start`: installs missing dependencies, builds the app, and runs all of Linnet on this machine. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment, projectNode, root } from './project.mjs';
import { exitWithNpm, forwardSignals, installSignalHandlers } from './signals.mjs';

installSignalHandlers();
exitWithNpm();
checkHostNode();
await installDependencies();
await installSystemPackages('product');
await buildApp();

const child = spawn(projectNode, [join(root, 'tooling', 'supervise.ts')], {
  env: environment(),
  // If this process is killed, the IPC channel closes and the supervisor stops all processes.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
forwardSignals(child, { mayRepeat: true });
child.on('exit', (code) => process.exit(code ?? 1));
