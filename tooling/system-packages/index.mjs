/**
 * Provides the Debian packages that Linnet uses. As root, installs them with the system's package manager; otherwise
 * unpacks them into a private folder. On other systems, prints the packages to install. If all packages are present,
 * this starts no process and takes only a few milliseconds.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { hasApt, installOnSystem, unpackPrivately } from './apt.mjs';
import { run } from './command.mjs';
import {
  KNOWN_PACKAGES,
  LOAD_PACKAGES,
  NETWORK_PACKAGES,
  PRODUCT_PACKAGES,
  S3_PACKAGES,
  TEST_PACKAGES,
} from './known.mjs';

export { LOAD_PACKAGES, NETWORK_PACKAGES, PRODUCT_PACKAGES, S3_PACKAGES, TEST_PACKAGES };

/** Common prefixes of installed programs, in addition to the prefixes of the folders in PATH. */
const SYSTEM_PREFIXES = ['/usr', '/usr/local', '/opt/homebrew'];

/** The shell's exit code for "not found", and the dynamic loader's for a missing library. */
const CANNOT_START = 127;

/**
 * @typedef {{location: 'system', program?: string, env: Record<string, string>}} OnSystem
 * @typedef {{location: 'private', root: string, program?: string, env: Record<string, string>}} InPrivateFolder
 * @typedef {{location: 'missing', hint: string}} Missing
 *
 * `program` is an absolute path, `env` the environment variables that it needs, `root` a folder that contains an
 * unpacked `usr`.
 */

/**
 * Finds packages and installs or unpacks the missing ones.
 * @param {object} options
 * @param {readonly string[]} options.packages Debian package names (see `known.mjs`)
 * @param {string} options.privateDir folder for unpacked packages, created if needed
 * @param {(line: string) => void} options.log receives progress lines; not called if all packages are present
 * @param {'auto' | 'private'} [options.install] `private` never installs on the system, not even as root
 * @param {readonly string[]} [options.systemPrefixes] prefixes to search for installed packages
 * @param {readonly string[]} [options.aptOptions] additional options for apt-get (another mirror, a proxy)
 * @returns {Promise<{available: Record<string, OnSystem | InPrivateFolder | Missing>}>}
 */
export async function ensureSystemPackages({
  packages,
  privateDir,
  log,
  install = 'auto',
  systemPrefixes = listSystemPrefixes(),
  aptOptions = [],
}) {
  for (const name of packages) {
    if (!KNOWN_PACKAGES[name]) throw new RangeError(`unknown package ${name}`);
  }
  const locations = { systemPrefixes, root: join(resolve(privateDir), 'root') };
  const missingPackages = packages.filter((name) => !findPackage(name, locations));
  const reasons =
    missingPackages.length > 0
      ? await installAll(missingPackages, { locations, privateDir, log, install, aptOptions })
      : new Map();
  const available = {};
  for (const name of packages) {
    available[name] = findPackage(name, locations) ?? {
      location: 'missing',
      hint: createHint(name, reasons.get(name)),
    };
    if (available[name].location === 'missing') log(available[name].hint);
  }
  return { available };
}

/** Matches apt errors caused by a single unavailable package. The other packages can still be installed separately. */
const SINGLE_PACKAGE_ERROR =
  /Unable to locate|no installation candidate|Unmet dependencies|unmet dep/i;

/** Installs packages. @returns {Promise<Map<string, string>>} why each unavailable package couldn't be installed */
async function installAll(names, context) {
  const { ok, reason } = await installPackages(names, context);
  if (ok) return new Map();
  if (names.length === 1 || !SINGLE_PACKAGE_ERROR.test(reason)) {
    return new Map(names.map((name) => [name, reason]));
  }
  const reasons = new Map();
  for (const name of names) {
    const result = await installPackages([name], context);
    if (!result.ok) reasons.set(name, result.reason);
  }
  return reasons;
}

async function installPackages(absent, { locations, privateDir, log, install, aptOptions }) {
  if (!hasApt()) return { ok: false, reason: 'this system has no apt-get' };
  const list = absent.map((name) => `${name} (${KNOWN_PACKAGES[name].purpose})`).join(', ');
  if (install === 'auto' && process.getuid?.() === 0) {
    log(`Installing ${list} …`);
    const installed = await installOnSystem(absent, { log, aptOptions });
    if (installed.ok) return { ok: true };
    log('The installation failed. Trying a private folder.');
  }
  log(`Downloading ${list} into a private folder …`);
  try {
    mkdirSync(privateDir, { recursive: true });
    const workDir = join(resolve(privateDir), `work-${process.pid}`);
    const { root } = locations;
    const unpacked = await unpackPrivately(absent, { root, workDir, log, aptOptions });
    if (!unpacked.ok) return { ok: false, reason: extractReason(unpacked.output) };
  } catch (error) {
    // The folder may not be writable, or the disk may be full. Linnet works without these packages.
    return { ok: false, reason: error.message };
  }
  return recordUnpacked(absent, locations);
}

/** Records packages as unpacked if their programs can be started. */
async function recordUnpacked(names, { root }) {
  for (const name of names) {
    const privatePackage = findPrivatePackage(name, root);
    if (!privatePackage) return { ok: false, reason: 'the package lacks an expected file' };
    if (!privatePackage.program) continue;
    const { code, output } = await run(privatePackage.program, ['--version'], {
      env: privatePackage.env,
    });
    if (code === null || code === CANNOT_START) return { ok: false, reason: extractReason(output) };
  }
  const stamp = { packages: [...new Set([...readStamp(root), ...names])].sort() };
  const path = stampPath(root);
  writeFileSync(`${path}.new`, `${JSON.stringify(stamp)}\n`);
  renameSync(`${path}.new`, path);
  return { ok: true };
}

function findPackage(name, { systemPrefixes, root }) {
  const { requiredFiles, program } = KNOWN_PACKAGES[name];
  const prefix = systemPrefixes.find((folder) =>
    requiredFiles.every((file) => isUsable(join(folder, file))),
  );
  if (prefix) {
    return { location: 'system', ...(program && { program: join(prefix, program) }), env: {} };
  }
  return readStamp(root).includes(name) ? findPrivatePackage(name, root) : undefined;
}

function findPrivatePackage(name, root) {
  const { requiredFiles, program, realProgram } = KNOWN_PACKAGES[name];
  const prefix = join(root, 'usr');
  if (!requiredFiles.every((file) => isUsable(join(prefix, file)))) return undefined;
  const startedProgram = realProgram ?? program;
  const libraries = libraryFolders(root).join(delimiter);
  return {
    location: 'private',
    root,
    ...(startedProgram && { program: join(prefix, startedProgram) }),
    env: libraries === '' ? {} : { LD_LIBRARY_PATH: libraries },
  };
}

/** Returns whether the current user can execute a program or read any other file. */
function isUsable(path) {
  try {
    accessSync(path, /\/bin\//.test(path) ? constants.X_OK : constants.R_OK);
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(error.code)) return false;
    throw error;
  }
}

/**
 * Returns the folders with shared libraries. Debian has one per architecture, and some libraries (BLAS) are one level
 * deeper.
 */
function libraryFolders(root) {
  return ['usr/lib', 'lib']
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...subfolders(folder, 2)])
    .filter((folder) => readdirSync(folder).some((file) => file.includes('.so')));
}

function subfolders(folder, depth) {
  if (depth === 0) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .flatMap((path) => [path, ...subfolders(path, depth - 1)]);
}

function stampPath(root) {
  return join(dirname(root), 'unpacked.json');
}

/** @returns {string[]} the names of fully unpacked packages */
function readStamp(root) {
  const path = stampPath(root);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : [];
}

function listSystemPrefixes() {
  const pathPrefixes = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => /\/s?bin$/.test(folder))
    .map((folder) => dirname(folder));
  return [...new Set([...SYSTEM_PREFIXES, ...pathPrefixes])];
}

function createHint(name, reason) {
  const cause = reason ? ` (${reason})` : '';
  return `${name} is missing${cause}. It provides: ${KNOWN_PACKAGES[name].purpose}. On Debian: apt-get install ${name}`;
}

/** Extracts the cause of a failure from the output: apt's first error, or the dynamic loader's last line. */
function extractReason(output) {
  const lines = output.trim().split('\n');
  return lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? 'no reason given';
}
