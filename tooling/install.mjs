/** Brings what the project needs and does not have yet: npm packages, Debian packages. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must, onceFor, privateDir, projectNode, root } from './project.mjs';

/** Installs the npm packages of the lockfile, unless they are there. */
export async function installDependencies() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const value = createHash('sha256').update(lock).digest('hex');
  await onceFor('node_modules/.linnet-installed', value, async () => {
    console.log('Installing dependencies …');
    // What is there is brought up to date; wiping it first would pull it from under what runs on it.
    const command = existsSync(projectNode) ? 'install' : 'ci';
    // A production setting of the host must not leave out the tools that build and test.
    const args = [command, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
    await must('npm', args, { env: environment({ NODE_ENV: '' }) });
  });
}

/**
 * Installs Debian packages where that is allowed, else unpacks them privately, else says what to install.
 * @param {'product' | 'test' | 's3'} group what runs Linnet, what also tests it, or an S3 server for tests
 * @returns what is available, by package
 */
export async function installSystemPackages(group) {
  const { ensureSystemPackages, PRODUCT_PACKAGES, S3_PACKAGES, TEST_PACKAGES } = await import(
    './system-packages/index.mjs'
  );
  const packages = {
    product: PRODUCT_PACKAGES,
    test: [...PRODUCT_PACKAGES, ...TEST_PACKAGES],
    s3: S3_PACKAGES,
  }[group];
  // A storage cluster has no place among the services of a machine that wants to run a test.
  const install = group === 's3' ? 'private' : 'auto';
  return ensureSystemPackages({ packages, privateDir, log: console.log, install });
}
