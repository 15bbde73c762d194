/** Installs models atomically: an installed model is always complete, verified and described by a `model.json`. */
import { createHash } from 'node:crypto';
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type KnownModel, knownModels } from './catalogue.ts';
import { download, sizeOf } from './download.ts';
import { ModelFailure } from './failure.ts';
import {
  MANIFEST_FILE,
  type ModelKind,
  type ModelManifest,
  modelNameSchema,
  readManifest,
  type Trust,
} from './manifest.ts';
import { sha256Of } from './store.ts';
import { isArchive, unpack } from './unpack.ts';

export interface Installation {
  /** `MODELS_DIR`, which is created if it doesn't exist. */
  readonly folder: string;
  readonly name: string;
  /** A folder with a `model.json`, a file or a URL. Defaults to the URL in the catalog. */
  readonly from?: string | undefined;
  /** Replaces the catalog, for tests. */
  readonly catalogue?: readonly KnownModel[];
  readonly onProgress?: (fraction: number) => void;
  /**
   * Prepares this machine for a kind of model, before the model is downloaded if its kind is known by then.
   * @throws {ModelFailure}
   */
  readonly prepare?: ((kind: ModelKind, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Called when the download is complete and verified, before it is unpacked. */
  readonly onDownloaded?: (() => void) | undefined;
  /** Base URL of a mirror, which has the files of the catalog under their own names. */
  readonly mirror?: string | undefined;
  /** Bytes of disk space that must remain free. */
  readonly reserveBytes?: number;
  /** Returns the free disk space of a folder in bytes; replaced by tests. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  readonly signal?: AbortSignal;
  /** Folder for system packages that are unpacked without privileges, if any (it contains `bin`). */
  readonly privateRoot?: string | undefined;
  readonly now: () => Date;
  /** Seconds between download attempts without progress. */
  readonly pauseSeconds?: number;
}

type Source = NonNullable<ModelManifest['source']>;
type File = ModelManifest['files'][number];

/** Staging folder in `MODELS_DIR`. Names that begin with a dot aren't models. */
const INCOMING = '.incoming';
/** File in `MODELS_DIR` with the SHA-256 of each URL that has no published one, as seen at the first installation. */
const PINS_FILE = '.pins.json';
/** The publisher's list of SHA-256 checksums, located next to the files of a release. */
const LIST_FILE = 'checksum.txt';
/**
 * Disk space for unpacking, as a multiple of the archive. Int8 models compress to 70% (measured on the published sizes of
 * SenseVoice and Parakeet), but some archives also contain the unquantized model.
 */
const UNPACKED_FACTOR = 2.5;
/** Maximum length of such a list. Real ones have a few hundred lines. */
const MAX_LIST_LENGTH = 2 ** 20;

/**
 * Installs a model and returns its manifest.
 * @throws ModelFailure with a sentence for the operator
 */
export async function installModel(job: Installation): Promise<ModelManifest> {
  if (!modelNameSchema.safeParse(job.name).success) {
    throw new ModelFailure(`${job.name} is not a valid model name`);
  }
  const incoming = path.join(job.folder, INCOMING);
  const staged = path.join(incoming, `${job.name}.${process.pid}`);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged);
  try {
    const manifest = await stage(job, incoming, staged);
    await job.prepare?.(manifest.kind, job.signal);
    await writeFile(path.join(staged, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    await moveIntoPlace(staged, path.join(job.folder, job.name), incoming);
    return manifest;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/**
 * Removes what killed installations left in the staging folder. Downloads stay, to be resumed. The caller must hold the
 * folder's lock.
 */
export async function sweepIncoming(folder: string): Promise<void> {
  const incoming = path.join(folder, INCOMING);
  const entries = await readdir(incoming, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  for (const entry of entries) {
    if (!entry.isDirectory() || !/\.\d+(\.unpacked)?$/.test(entry.name)) continue;
    await rm(path.join(incoming, entry.name), { recursive: true, force: true });
  }
}

/** Copies the model's files into the staging folder. Returns their manifest. */
async function stage(job: Installation, incoming: string, staged: string): Promise<ModelManifest> {
  const catalogue = job.catalogue ?? knownModels;
  const knownModel = catalogue.find(({ name }) => name === job.name);
  const from = job.from ?? (knownModel && addressOf(knownModel, job.mirror));
  if (from === undefined) {
    const names = catalogue.map(({ name }) => name).join(', ');
    throw new ModelFailure(
      `unknown model ${job.name}: use one of ${names}, or give its location with --from`,
    );
  }
  if (knownModel) await job.prepare?.(knownModel.kind, job.signal);
  if (!isAddress(from) && (await isFolder(from))) {
    return stageDescribed(job, from, staged, { address: from, sha256: null, trust: 'folder' });
  }
  const obtained = isAddress(from)
    ? await downloadModel(job, knownModel, incoming, from)
    : await useFile(knownModel, from);
  const unpacked = `${staged}.unpacked`;
  try {
    const manifest = await stageFile(job, knownModel, obtained, { from, unpacked, staged });
    if (isAddress(from)) await rm(obtained.file);
    if (obtained.source.trust === 'first-use') await pinChecksum(job.folder, obtained.source);
    return manifest;
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

/** Returns the URL of a model of the catalog, at its publisher or at a mirror. */
export function addressOf({ download }: KnownModel, mirror: string | undefined): string {
  return mirror === undefined ? download.address : `${mirror}/${nameOf(download.address)}`;
}

/** A local file and its origin. */
interface Obtained {
  readonly file: string;
  readonly source: Source;
}

async function stageFile(
  job: Installation,
  knownModel: KnownModel | undefined,
  { file, source }: Obtained,
  places: { readonly from: string; readonly unpacked: string; readonly staged: string },
): Promise<ModelManifest> {
  const { from, unpacked, staged } = places;
  const archived = isArchive(nameOf(from));
  if (archived !== (knownModel === undefined || knownModel.archiveFolder !== undefined)) {
    throw new ModelFailure(`${from} is ${archived ? '' : 'not '}an archive, judging by its name`);
  }
  if (!archived) {
    await mkdir(unpacked, { recursive: true });
    const [name] = Object.values((knownModel as KnownModel).roles);
    await copyFile(file, path.join(unpacked, name as string));
    return stageKnown(job, knownModel as KnownModel, unpacked, staged, source);
  }
  await unpack(file, unpacked, job);
  if (knownModel === undefined) return stageDescribed(job, await rootOf(unpacked), staged, source);
  return stageKnown(
    job,
    knownModel,
    path.join(unpacked, knownModel.archiveFolder ?? ''),
    staged,
    source,
  );
}

/** Downloads a known or custom model, and determines how far its checksum can be trusted. */
async function downloadModel(
  job: Installation,
  knownModel: KnownModel | undefined,
  incoming: string,
  address: string,
): Promise<Obtained> {
  const expected = knownModel
    ? { sha256: knownModel.download.sha256, trust: 'catalogue' as Trust }
    : ((await listedChecksum(address, job.signal)) ?? (await pinnedChecksum(job.folder, address)));
  const short = createHash('sha256').update(address).digest('hex').slice(0, 16);
  const file = path.join(incoming, `${short}-${nameOf(address)}`);
  if (knownModel) await checkDiskSpace(job, knownModel, await sizeOf(`${file}.part`));
  const sha256 = await download({
    address,
    file,
    bytes: knownModel?.download.bytes,
    sha256: expected?.sha256,
    onProgress: job.onProgress,
    signal: job.signal,
    ...(job.pauseSeconds === undefined ? {} : { pauseSeconds: job.pauseSeconds }),
  });
  job.onDownloaded?.();
  return { file, source: { address, sha256, trust: expected?.trust ?? 'first-use' } };
}

/**
 * Checks that a download and its unpacked files fit on the disk.
 * @param received bytes that were downloaded earlier
 * @throws ModelFailure `storage-full`
 */
async function checkDiskSpace(
  { folder, reserveBytes = 0, freeBytes = freeBytesOf }: Installation,
  { name, download: { bytes }, archiveFolder }: KnownModel,
  received: number,
): Promise<void> {
  const unpacked = archiveFolder === undefined ? bytes : UNPACKED_FACTOR * bytes;
  const needed = Math.max(0, bytes - received) + unpacked + reserveBytes;
  const free = await freeBytes(folder);
  if (free >= needed) return;
  const inGigabytes = (amount: number) => (amount / 1e9).toFixed(1);
  throw new ModelFailure(
    `not enough disk space for ${name}: ${inGigabytes(needed)} GB must be free in ${folder}, but only ${inGigabytes(free)} GB are`,
    { code: 'storage-full' },
  );
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function useFile(knownModel: KnownModel | undefined, file: string): Promise<Obtained> {
  const sha256 = await sha256Of(file);
  if (knownModel && knownModel.download.sha256 !== sha256) {
    throw new ModelFailure(
      `${file} is not ${knownModel.name}: its SHA-256 is ${sha256} instead of ${knownModel.download.sha256}`,
    );
  }
  return { file, source: { address: file, sha256, trust: knownModel ? 'catalogue' : 'first-use' } };
}

/** Returns a file's SHA-256 from the publisher's list, if there is one. Each line of the list has a name and a hash. */
async function listedChecksum(
  address: string,
  signal: AbortSignal | undefined,
): Promise<{ sha256: string; trust: Trust } | undefined> {
  const response = await fetch(new URL(LIST_FILE, address), { signal: signal ?? null }).catch(
    (cause: unknown) => {
      signal?.throwIfAborted();
      throw new ModelFailure(`${new URL(address).host} cannot be reached`, {
        code: 'unreachable',
        cause,
      });
    },
  );
  if (!response.ok) {
    await response.body?.cancel();
    return undefined;
  }
  const text = (await response.text()).slice(0, MAX_LIST_LENGTH);
  for (const line of text.split('\n')) {
    const words = line.trim().split(/[\s*]+/);
    const sha256 = words.find((word) => /^[0-9a-f]{64}$/i.test(word));
    if (sha256 && words.includes(nameOf(address))) {
      return { sha256: sha256.toLowerCase(), trust: 'listed' };
    }
  }
  return undefined;
}

async function readPins(folder: string): Promise<Record<string, string>> {
  const file = path.join(folder, PINS_FILE);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Record<string, string>;
}

async function pinnedChecksum(folder: string, address: string) {
  const sha256 = (await readPins(folder))[address];
  return sha256 === undefined ? undefined : { sha256, trust: 'first-use' as Trust };
}

async function pinChecksum(folder: string, { address, sha256 }: Source): Promise<void> {
  const pins = { ...(await readPins(folder)), [address]: sha256 };
  const file = path.join(folder, PINS_FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(pins, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

/** Stages a model from the catalog, moving only the files that its roles need out of the unpacked folder. */
async function stageKnown(
  job: Installation,
  knownModel: KnownModel,
  root: string,
  staged: string,
  source: Source,
): Promise<ModelManifest> {
  const files: File[] = [];
  for (const role of Object.values(knownModel.roles)) {
    for (const name of await filesOf(root, role)) {
      files.push(await bringInto(staged, root, name, rename));
    }
  }
  const { name, kind, languages, punctuated, licence, roles } = knownModel;
  return {
    ...{ format: 1, name, kind, languages: [...languages], punctuated, licence, roles, files },
    detects_language: knownModel.detectsLanguage,
    source,
    installed_at: job.now().toISOString(),
  };
}

/** Stages a model with a `model.json`, verifying each file against it. */
async function stageDescribed(
  job: Installation,
  root: string,
  staged: string,
  source: Source,
): Promise<ModelManifest> {
  const target = path.join(root, MANIFEST_FILE);
  const text = await readFile(target, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${target} is missing`, { cause });
  });
  const manifest = readManifest(text, target);
  if (manifest.name !== job.name) {
    throw new ModelFailure(`${target} describes ${manifest.name}, not ${job.name}`);
  }
  for (const expected of manifest.files) {
    const { bytes, sha256 } = await bringInto(staged, root, expected.path, copyFile);
    if (bytes !== expected.bytes || sha256 !== expected.sha256) {
      throw new ModelFailure(`${path.join(root, expected.path)} does not match ${MANIFEST_FILE}`);
    }
  }
  return { ...manifest, source, installed_at: job.now().toISOString() };
}

/** Returns the folder that contains the `model.json` in an unpacked archive: the root, or the only folder in it. */
async function rootOf(unpacked: string): Promise<string> {
  const entries = await readdir(unpacked);
  const [onlyEntry] = entries;
  return entries.length === 1 && onlyEntry && onlyEntry !== MANIFEST_FILE
    ? path.join(unpacked, onlyEntry)
    : unpacked;
}

/** Returns the files of a role, which may be a file or a folder. Paths are relative to the root. */
async function filesOf(root: string, role: string): Promise<string[]> {
  const target = path.join(root, role);
  const stats = await lstat(target).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${role} is missing`, { cause });
  });
  if (!stats.isDirectory()) return [role];
  const entries = await readdir(target, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Copies or moves a regular file, which must be within the root. */
async function bringInto(
  staged: string,
  root: string,
  name: string,
  bring: typeof copyFile | typeof rename,
): Promise<File> {
  const target = path.join(root, name);
  const real = await realpath(target).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${target} is missing`, { cause });
  });
  if (real !== path.join(await realpath(root), name) || !(await lstat(real)).isFile()) {
    throw new ModelFailure(`${target} is not a regular file`);
  }
  const copy = path.join(staged, name);
  await mkdir(path.dirname(copy), { recursive: true });
  await bring(real, copy);
  return { path: name, bytes: (await stat(copy)).size, sha256: await sha256Of(copy) };
}

/** Moves the staged model into place with a single rename, after moving any existing one aside. */
async function moveIntoPlace(staged: string, target: string, incoming: string): Promise<void> {
  const aside = path.join(incoming, `${path.basename(target)}.before`);
  await rm(aside, { recursive: true, force: true });
  await rename(target, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(staged, target);
  await rm(aside, { recursive: true, force: true });
}

function isAddress(from: string): boolean {
  return /^https?:\/\//.test(from);
}

/**
 * True if the path is a folder.
 * @throws ModelFailure if the path doesn't exist
 */
async function isFolder(from: string): Promise<boolean> {
  const stats = await stat(from).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`no such file or folder: ${from}`, { cause });
  });
  return stats.isDirectory();
}

/** Returns the file name in a URL or path. */
function nameOf(from: string): string {
  return path.basename(isAddress(from) ? new URL(from).pathname : from);
}
