/**
 * Defines the project's paths and runs commands in it. Plain JavaScript, because it runs before any package is
 * installed.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forwardSignals } from './signals.mjs';

/** The repository root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The minimum Node version on the host for running these scripts. All other code runs on the Node in node_modules. */
const OLDEST_NODE = 20;

/** The folder for system packages unpacked without root privileges. */
export const privateDir = join(root, '.cache', 'system');

/** The root folder of the unpacked speech engines, which contains `usr`. */
export const enginesDir = join(privateDir, 'root');

const binDir = join(root, 'node_modules', '.bin');

/** The Node in node_modules. */
export const projectNode = join(binDir, 'node');

/** Exits with a message if the host's Node is too old. */
export function checkHostNode() {
  const [major] = process.versions.node.split('.');
  if (Number(major) >= OLDEST_NODE) return;
  console.error(`Linnet needs Node ${OLDEST_NODE} or newer to start; this is ${process.version}.`);
  process.exit(1);
}

/** The folder for Node's compile cache, which cuts process startup time by a third. */
const compiledDir = join(root, '.cache', 'compiled');

/** Returns the environment for child processes. The project's own tools come first in its PATH. */
export function environment(extra = {}) {
  return {
    ...process.env,
    PATH: `${binDir}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: compiledDir,
    ...extra,
  };
}

/**
 * Runs a command in the repository root, shows its output, and forwards termination signals to it.
 * @returns {Promise<number>} the exit code, or 1 if the command was terminated by a signal
 */
export function run(program, args, { env = environment(), cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    forwardSignals(child);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Runs a command like {@link run}, and exits if it fails. */
export async function runOrExit(program, args, options) {
  const code = await run(program, args, options);
  if (code !== 0) process.exit(code);
}

/** Yields all files in a folder in a stable order, except installed packages and build output. */
function* walkFiles(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walkFiles(path);
    else if (entry.isFile()) yield path;
  }
}

/**
 * Returns a fingerprint of files and folders, derived from their paths, sizes and modification times without reading
 * them.
 */
export function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const relativePath of paths) {
    const path = join(root, relativePath);
    for (const file of statSync(path).isDirectory() ? walkFiles(path) : [path]) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** Runs `work` unless the stamp file already contains `value`, then writes `value` to the stamp file. */
export async function runIfChanged(stamp, value, work) {
  const path = join(root, stamp);
  if (existsSync(path) && readFileSync(path, 'utf8') === value) return;
  await work();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, value);
}
