/** What the tests find on this machine, whichever of them is run. */
import { delimiter, join } from 'node:path';
import { buildApp } from './build.mjs';
import { installDependencies, installSystemPackages } from './install.mjs';
import { checkHostNode, environment } from './project.mjs';

/** A message worth reading when something the tests use is missing; with CI=true it is the end. */
function demandPackages({ available }) {
  const missing = Object.entries(available).filter(([, { how }]) => how === 'missing');
  for (const [name, { hint }] of missing) console.log(`Without ${name}: ${hint}`);
  if (missing.length > 0 && process.env.CI === 'true') process.exit(1);
}

/** The environment in which the tests find what was unpacked privately, as they find the system's. */
function withPrivateTools({ available }) {
  const found = Object.values(available).filter(({ how }) => how === 'private');
  const added = Object.assign({}, ...found.map(({ env }) => env));
  const [first] = found;
  const path = first
    ? {
        PATH: `${environment().PATH}${delimiter}${join(first.root, 'usr', 'bin')}`,
        // Where programs look for faces besides the system's.
        XDG_DATA_HOME: join(first.root, 'usr', 'share'),
      }
    : {};
  const { program } = available.chromium;
  return { ...added, ...path, ...(program ? { CHROMIUM: program } : {}) };
}

/**
 * Brings what the tests need: dependencies, system packages, the app as it is now.
 * @returns the environment in which they find it
 */
export async function prepareTests() {
  checkHostNode();
  await installDependencies();
  const packages = await installSystemPackages('test');
  demandPackages(packages);
  const tools = withPrivateTools(packages);
  await buildApp();
  return tools;
}
