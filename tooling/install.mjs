/** Installs missing npm and Debian packages. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, privateDir, projectNode, root, runIfChanged, runOrExit } from './project.mjs';

/** Installs the npm packages in the lockfile, if it has changed since the last installation. */
export async function installDependencies() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const value = createHash('sha256').update(lock).digest('hex');
  await runIfChanged('node_modules/.linnet-installed', value, async () => {
    console.log('Installing dependencies …');
    // Prefer `npm install`: `npm ci` would start by deleting packages that running processes may be using.
    const command = existsSync(projectNode) ? 'install' : 'ci';
    // Don't let NODE_ENV=production on the host exclude the build and test tools.
    const args = [command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    await runOrExit('npm', args, { env: environment({ NODE_ENV: '' }) });
  });
}

/**
 * Installs Debian packages if run as root; otherwise unpacks them into a private folder. If neither works, prints the
 * names of the packages to install.
 * @param {'product' | 'test' | 's3' | 'load' | 'network'} group packages for running Linnet, for running and testing it, for
 *   an S3 server, for a load balancer, or for network namespaces
 * @returns availability by package
 */
export async function installSystemPackages(group) {
  const known = await import('./system-packages/index.mjs');
  const packages = {
    product: known.PRODUCT_PACKAGES,
    test: [...known.PRODUCT_PACKAGES, ...known.TEST_PACKAGES],
    s3: known.S3_PACKAGES,
    load: known.LOAD_PACKAGES,
    network: known.NETWORK_PACKAGES,
  }[group];
  // Tests must not add a storage cluster or a load balancer to the machine's services.
  const install = group === 's3' || group === 'load' ? 'private' : 'auto';
  return known.ensureSystemPackages({ packages, privateDir, log: console.log, install });
}
