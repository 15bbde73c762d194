/** Prepares the machine for tests: installs packages and builds the app. */
import { delimiter, join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment } from './project.mjs';

/** Prints missing packages. With CI=true, exits if any package is missing. */
function reportMissingPackages({ available }) {
  const missingPackages = Object.entries(available).filter(
    ([, { location }]) => location === 'missing',
  );
  for (const [name, { hint }] of missingPackages) console.log(`Without ${name}: ${hint}`);
  if (missingPackages.length > 0 && process.env.CI === 'true') process.exit(1);
}

/** Returns environment variables that make privately unpacked programs available as if installed on the system. */
function createToolsEnvironment({ available }) {
  const unpacked = Object.values(available).filter(({ location }) => location === 'private');
  const packageVariables = Object.assign({}, ...unpacked.map(({ env }) => env));
  const [first] = unpacked;
  const pathVariables = first
    ? {
        PATH: [
          environment().PATH,
          ...['bin', 'sbin'].map((folder) => join(first.root, 'usr', folder)),
        ].join(delimiter),
        // Programs search this folder for fonts in addition to the system's folders.
        XDG_DATA_HOME: join(first.root, 'usr', 'share'),
      }
    : {};
  const { program } = available.chromium;
  return { ...packageVariables, ...pathVariables, ...(program ? { CHROMIUM: program } : {}) };
}

/**
 * Installs dependencies and system packages, and builds the app.
 * @returns environment variables for the tests
 */
export async function prepareTests() {
  checkHostNode();
  await installDependencies();
  const packages = await installSystemPackages('test');
  reportMissingPackages(packages);
  const balancer = await installSystemPackages('load');
  reportMissingPackages(balancer);
  const tools = {
    ...createToolsEnvironment(packages),
    HAPROXY: JSON.stringify(balancer.available.haproxy),
  };
  await buildApp();
  return tools;
}
