/** Where things are, and how to run a command; for every script in this folder. Plain JavaScript: it runs before anything is installed. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWith } from './ending.mjs';

/** The project's root. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The oldest Node that can start the rest; everything else runs on the Node that comes with it. */
const OLDEST_NODE = 20;

/** Where packages of the system are unpacked for an ordinary user. */
export const privateDir = join(root, '.cache', 'system');

/** Where engines unpacked there are: it holds `usr`. */
export const enginesDir = join(privateDir, 'root');

const binDir = join(root, 'node_modules', '.bin');

/** The Node that comes with the project. */
export const projectNode = join(binDir, 'node');

/** Ends with a sentence when the host's Node is too old. */
export function checkHostNode() {
  const [major] = process.versions.node.split('.');
  if (Number(major) >= OLDEST_NODE) return;
  console.error(`Linnet needs Node ${OLDEST_NODE} or newer to start; this is ${process.version}.`);
  process.exit(1);
}

/** Where Node keeps what it compiled, so that each process of ours starts in two thirds of the time. */
const compiledDir = join(root, '.cache', 'compiled');

/** The environment for children: the project's own tools come first. */
export function environment(extra = {}) {
  return {
    ...process.env,
    PATH: `${binDir}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: compiledDir,
    ...extra,
  };
}

/**
 * Runs a command in the project's root with its output shown. A signal that ends this process ends it too.
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
export function run(program, args, { env = environment(), cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    endWith(child);
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** As {@link run}, and ends this process when it fails. */
export async function must(program, args, options) {
  const code = await run(program, args, options);
  if (code !== 0) process.exit(code);
}

/** Files below a folder, in a steady order, without what is installed or built. */
function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (entry.isFile()) yield path;
  }
}

/** A fingerprint of files and folders by path, size and time of change; contents are not read. */
export function fingerprint(places) {
  const hash = createHash('sha256');
  for (const place of places) {
    const path = join(root, place);
    for (const file of statSync(path).isDirectory() ? files(path) : [path]) {
      const { size, mtimeMs } = statSync(file);
      hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/** Runs `work` unless the stamp file says that it was done for this very fingerprint. */
export async function onceFor(stamp, value, work) {
  const path = join(root, stamp);
  if (existsSync(path) && readFileSync(path, 'utf8') === value) return;
  await work();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, value);
}
