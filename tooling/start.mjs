/** `npm start`: brings what is missing, builds, and runs all of Linnet on this machine. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment, projectNode, root } from './project.mjs';

checkHostNode();
await installDependencies();
await installSystemPackages('product');
await buildApp();

const child = spawn(projectNode, [join(root, 'tooling', 'supervise.ts')], {
  env: environment(),
  stdio: 'inherit',
});
// The terminal sends Ctrl-C to the child as well; this process only has to outlive it.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
}
child.on('exit', (code) => process.exit(code ?? 1));
