/** Installs node-llama-cpp, the engine of local language models, on demand. It isn't a dependency of the server. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  lockFolder,
  ModelFailure,
  type ModelFailureCode,
  type ModelKind,
  runsOnLlama,
} from '../../models/index.ts';

/** The engine's npm package. */
export const LLAMA_PACKAGE = 'node-llama-cpp';
const LLAMA_VERSION = '3.21.1';

/**
 * Packages with the engine's binaries. They don't include the packages for CUDA and Vulkan, which npm would install by
 * default, and which take gigabytes and need drivers.
 */
const binaries: Readonly<Record<string, string>> = {
  'linux-x64': '@node-llama-cpp/linux-x64',
  'linux-arm64': '@node-llama-cpp/linux-arm64',
  'darwin-arm64': '@node-llama-cpp/mac-arm64-metal',
  'darwin-x64': '@node-llama-cpp/mac-x64',
};

/** A package that depends on the engine, with a lock file that contains the SHA-512 of every package. */
const DESCRIPTION = new URL('./package/', import.meta.url);
/** Prefix of incomplete installations, followed by the process ID. */
const INCOMING_PREFIX = '.incoming-';

/** Returns the folder for engines installed on demand. */
export function enginesFolder(dataDir: string): string {
  return path.resolve(dataDir, 'engines');
}

const installedFolder = (folder: string) => path.join(folder, `${LLAMA_PACKAGE}-${LLAMA_VERSION}`);

/**
 * Returns the engine's entry point, or null if it isn't installed.
 * @param folder the folder for engines
 */
export function findLlama(folder: string): string | null {
  const modules = path.join(installedFolder(folder), 'node_modules');
  const entry = path.join(modules, LLAMA_PACKAGE, 'dist/index.js');
  const binary = binaries[`${process.platform}-${process.arch}`];
  if (binary === undefined || !existsSync(path.join(modules, binary))) return null;
  return existsSync(entry) ? entry : null;
}

/**
 * Installs the engine with npm, unless it is installed. The packages come from npm's configured registry, must match
 * the hashes in the lock file, and run no scripts.
 * @param folder the folder for engines, which is created if it doesn't exist
 * @throws ModelFailure
 */
async function installLlama(folder: string, signal?: AbortSignal): Promise<void> {
  if (findLlama(folder) !== null) return;
  const machine = `${process.platform}-${process.arch}`;
  const binary = binaries[machine];
  if (binary === undefined) throw new ModelFailure(`${LLAMA_PACKAGE} doesn't support ${machine}`);
  const lock = await lockFolder(folder);
  if (lock === null) {
    throw new ModelFailure(`another process is installing ${LLAMA_PACKAGE}`, { code: 'busy' });
  }
  const staged = path.join(folder, `${INCOMING_PREFIX}${process.pid}`);
  try {
    await sweep(folder);
    await mkdir(staged);
    await describe(staged, binary);
    await runNpm(staged, signal);
    const target = installedFolder(folder);
    await rm(target, { recursive: true, force: true });
    await rename(staged, target);
  } finally {
    await rm(staged, { recursive: true, force: true });
    await lock.release();
  }
  if (findLlama(folder) === null) {
    throw new ModelFailure(`npm installed ${LLAMA_PACKAGE} without its binaries`);
  }
}

/**
 * Returns a function that installs the engine before the first language or text embedding model. Other kinds of models
 * need no additional engine.
 * @param notify receives a message for the operator
 */
export function prepareEngine(
  dataDir: string,
  notify: (text: string) => void = () => undefined,
): (kind: ModelKind, signal?: AbortSignal) => Promise<void> {
  const folder = enginesFolder(dataDir);
  return async (kind, signal) => {
    if (!runsOnLlama(kind) || findLlama(folder) !== null) return;
    notify(`Installing the engine ${LLAMA_PACKAGE} ${LLAMA_VERSION} with npm.`);
    await installLlama(folder, signal);
  };
}

/** Removes the folders left by killed installations. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(INCOMING_PREFIX)) await rm(path.join(folder, name), { recursive: true });
  }
}

interface Package {
  optional?: boolean;
  version?: string;
  dependencies?: Record<string, string>;
}

/**
 * Writes a `package.json` and a lock file that require the engine and one package of binaries. The other binaries are
 * optional in the lock file, so npm omits them.
 */
async function describe(folder: string, binary: string): Promise<void> {
  const manifest = await readJson<Package>('package.json');
  const lock = await readJson<{ packages: Record<string, Package> }>('package-lock.json');
  const locked = lock.packages[`node_modules/${binary}`];
  const root = lock.packages[''];
  if (!locked?.version || !root) throw new Error(`the lock file lacks ${binary}`);
  delete locked.optional;
  manifest.dependencies = { ...manifest.dependencies, [binary]: locked.version };
  root.dependencies = manifest.dependencies;
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'package-lock.json'), JSON.stringify(lock));
}

async function readJson<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(name, DESCRIPTION), 'utf8')) as Content;
}

/** Maps npm's error codes to failures. Any other code makes the engine unusable. */
const npmFailures: readonly (readonly [RegExp, ModelFailureCode, string])[] = [
  [/EINTEGRITY/, 'content-mismatch', 'a package has unexpected content'],
  [/ENOSPC|EDQUOT/, 'storage-full', 'not enough disk space'],
  [/EAI_AGAIN|ENOTFOUND|ECONN|ETIMEDOUT|EHOST|ENET|ERR_SOCKET/, 'unreachable', 'npm is offline'],
  [/E4\d\d|E5\d\d/, 'refused', 'the registry refused a package'],
];

/** Runs `npm ci` in a folder. */
async function runNpm(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  const child = spawn('npm', ['ci', ...options, '--loglevel=error', '--prefix', folder], {
    cwd: folder,
    env: npmEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(0, 10_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`npm, which installs ${LLAMA_PACKAGE}, is not in PATH`, { cause });
  });
  if (code === 0) return;
  const npmCode = /npm error code (\w+)/.exec(errors)?.[1] ?? `exit ${code}`;
  const knownFailure = npmFailures.find(([pattern]) => pattern.test(npmCode));
  throw new ModelFailure(
    `couldn't install ${LLAMA_PACKAGE}: ${knownFailure ? `${knownFailure[2]} (${npmCode})` : npmCode}`,
    { code: knownFailure?.[1] ?? 'unusable' },
  );
}

/** Returns this process's environment without the variables that `npm run` sets for the server's package. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const npmVariable =
    /^npm_(package_|lifecycle_|command$|config_((local_)?prefix|workspaces?|global|location)$)/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !npmVariable.test(name)),
  );
}
