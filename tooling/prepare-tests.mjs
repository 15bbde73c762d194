/** Prepares this machine for the tests. */
import { delimiter, join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment } from './project.mjs';

/** Prints the packages that the tests lack. With CI=true, a missing package ends the process. */
function reportMissingPackages({ available }) {
  const missing = Object.entries(available).filter(([, { how }]) => how === 'missing');
  for (const [name, { hint }] of missing) console.log(`Without ${name}: ${hint}`);
  if (missing.length > 0 && process.env.CI === 'true') process.exit(1);
}

/** Environment variables that make privately unpacked programs available like system programs. */
function withPrivateTools({ available }) {
  const found = Object.values(available).filter(({ how }) => how === 'private');
  const added = Object.assign({}, ...found.map(({ env }) => env));
  const [first] = found;
  const path = first
    ? {
        PATH: `${environment().PATH}${delimiter}${join(first.root, 'usr', 'bin')}`,
        // Programs look for fonts here, besides the system's folders.
        XDG_DATA_HOME: join(first.root, 'usr', 'share'),
      }
    : {};
  const { program } = available.chromium;
  return { ...added, ...path, ...(program ? { CHROMIUM: program } : {}) };
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
  const tools = withPrivateTools(packages);
  await buildApp();
  return tools;
}
