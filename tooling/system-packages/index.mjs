/**
 * Brings the Debian packages that Linnet uses, as far as this machine and this
 * user allow: with the system's package manager as root, unpacked into a
 * private folder as an ordinary user. Elsewhere it says what to install.
 * When everything is there, nothing is started and it takes a few milliseconds.
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
import { KNOWN_PACKAGES, PRODUCT_PACKAGES, S3_PACKAGES, TEST_PACKAGES } from './known.mjs';

export { PRODUCT_PACKAGES, S3_PACKAGES, TEST_PACKAGES };

/** Where systems keep programs besides the folders in PATH. */
const SYSTEM_PREFIXES = ['/usr', '/usr/local', '/opt/homebrew'];

/** The shell's code for "not found", also given by the loader when a library is missing. */
const CANNOT_START = 127;

/**
 * @typedef {{how: 'system', program?: string, env: Record<string, string>}} OnSystem
 * @typedef {{how: 'private', root: string, program?: string, env: Record<string, string>}} InPrivateFolder
 * @typedef {{how: 'missing', hint: string}} Missing
 *
 * `program` is the absolute path to start, `env` what must be added to its
 * environment; `root` holds an unpacked `usr`.
 */

/**
 * @param {object} options
 * @param {readonly string[]} options.packages Debian package names (see `known.mjs`).
 * @param {string} options.privateDir Folder of ours, made when needed.
 * @param {(line: string) => void} options.log Takes progress, one line at a time; silent when all is there.
 * @param {'auto' | 'private'} [options.install] `private` leaves the system alone even as root.
 * @param {readonly string[]} [options.systemPrefixes] Where the system is looked for.
 * @param {readonly string[]} [options.aptOptions] Further options for apt-get (another mirror, a proxy).
 * @returns {Promise<{available: Record<string, OnSystem | InPrivateFolder | Missing>}>}
 */
export async function ensureSystemPackages({
  packages,
  privateDir,
  log,
  install = 'auto',
  systemPrefixes = prefixesOfThisSystem(),
  aptOptions = [],
}) {
  for (const name of packages) {
    if (!KNOWN_PACKAGES[name]) throw new RangeError(`unknown package ${name}`);
  }
  const place = { systemPrefixes, root: join(resolve(privateDir), 'root') };
  const absent = packages.filter((name) => !locate(name, place));
  const reasons =
    absent.length > 0
      ? await bringAll(absent, { place, privateDir, log, install, aptOptions })
      : new Map();
  const available = {};
  for (const name of packages) {
    available[name] = locate(name, place) ?? {
      how: 'missing',
      hint: hint(name, reasons.get(name)),
    };
    if (available[name].how === 'missing') log(available[name].hint);
  }
  return { available };
}

/** What apt says of one package that this system's sources do not have; the others may still come. */
const ONE_TO_BLAME = /Unable to locate|no installation candidate|Unmet dependencies|unmet dep/i;

/** @returns {Promise<Map<string, string>>} Why each package did not come. */
async function bringAll(names, context) {
  const { ok, reason } = await bring(names, context);
  if (ok) return new Map();
  if (names.length === 1 || !ONE_TO_BLAME.test(reason)) {
    return new Map(names.map((name) => [name, reason]));
  }
  const reasons = new Map();
  for (const name of names) {
    const alone = await bring([name], context);
    if (!alone.ok) reasons.set(name, alone.reason);
  }
  return reasons;
}

async function bring(absent, { place, privateDir, log, install, aptOptions }) {
  if (!hasApt()) return { ok: false, reason: 'this system has no apt-get' };
  const list = absent.map((name) => `${name} (${KNOWN_PACKAGES[name].purpose})`).join(', ');
  if (install === 'auto' && process.getuid?.() === 0) {
    log(`Installing ${list} …`);
    const installed = await installOnSystem(absent, { log, aptOptions });
    if (installed.ok) return { ok: true };
    log('The system did not take them; trying a private folder.');
  }
  log(`Downloading ${list} into a private folder …`);
  try {
    mkdirSync(privateDir, { recursive: true });
    const workDir = join(resolve(privateDir), `work-${process.pid}`);
    const unpacked = await unpackPrivately(absent, { root: place.root, workDir, log, aptOptions });
    if (!unpacked.ok) return { ok: false, reason: reasonIn(unpacked.output) };
  } catch (error) {
    // a folder that cannot be written, a full disk: the product goes on without
    return { ok: false, reason: error.message };
  }
  return settle(absent, place);
}

/** Only what really starts is written down as there. */
async function settle(names, place) {
  for (const name of names) {
    const found = describePrivate(name, place.root);
    if (!found) return { ok: false, reason: 'its package holds other files than expected' };
    if (!found.program) continue;
    const { code, output } = await run(found.program, ['--version'], { env: found.env });
    if (code === null || code === CANNOT_START) return { ok: false, reason: reasonIn(output) };
  }
  const stamp = { packages: [...new Set([...readStamp(place.root), ...names])].sort() };
  const path = stampPath(place.root);
  writeFileSync(`${path}.new`, `${JSON.stringify(stamp)}\n`);
  renameSync(`${path}.new`, path);
  return { ok: true };
}

function locate(name, { systemPrefixes, root }) {
  const { proofs, program } = KNOWN_PACKAGES[name];
  const prefix = systemPrefixes.find((folder) =>
    proofs.every((proof) => isUsable(join(folder, proof))),
  );
  if (prefix) {
    return { how: 'system', ...(program && { program: join(prefix, program) }), env: {} };
  }
  return readStamp(root).includes(name) ? describePrivate(name, root) : undefined;
}

function describePrivate(name, root) {
  const { proofs, program, realProgram } = KNOWN_PACKAGES[name];
  const prefix = join(root, 'usr');
  if (!proofs.every((proof) => isUsable(join(prefix, proof)))) return undefined;
  const start = realProgram ?? program;
  const libraries = libraryFolders(root).join(delimiter);
  return {
    how: 'private',
    root,
    ...(start && { program: join(prefix, start) }),
    env: libraries === '' ? {} : { LD_LIBRARY_PATH: libraries },
  };
}

/** There, and this user may run it (a program) or read it (anything else). */
function isUsable(path) {
  try {
    accessSync(path, /\/bin\//.test(path) ? constants.X_OK : constants.R_OK);
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ENOTDIR'].includes(error.code)) return false;
    throw error;
  }
}

/** Debian keeps libraries per architecture, and some (BLAS) another folder deeper. */
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

/** @returns {string[]} Packages that were unpacked completely. */
function readStamp(root) {
  const path = stampPath(root);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : [];
}

function prefixesOfThisSystem() {
  const ofPath = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => /\/s?bin$/.test(folder))
    .map((folder) => dirname(folder));
  return [...new Set([...SYSTEM_PREFIXES, ...ofPath])];
}

function hint(name, reason) {
  const why = reason ? ` (${reason})` : '';
  return `${name} is missing${why}: install it for ${KNOWN_PACKAGES[name].purpose}; on Debian: apt-get install ${name}`;
}

/** apt's first error names the cause; a loader's last line does. */
function reasonIn(output) {
  const lines = output.trim().split('\n');
  return lines.find((line) => line.startsWith('E:')) ?? lines.at(-1) ?? 'no reason given';
}
