/** Puts a model into its place: whole, checked, and described by a `model.json`; or not at all. */
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
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { type KnownModel, knownModels } from './catalogue.ts';
import { download } from './download.ts';
import { ModelFailure } from './failure.ts';
import {
  MANIFEST_FILE,
  type ModelManifest,
  modelNameSchema,
  readManifest,
  type Trust,
} from './manifest.ts';
import { sha256Of } from './store.ts';
import { isArchive, unpack } from './unpack.ts';

export interface Installation {
  /** `MODELS_DIR`; made when it is not there. */
  readonly folder: string;
  readonly name: string;
  /** A folder with a `model.json`, a file, or an address; the catalogue's when left out. */
  readonly from?: string | undefined;
  /** The catalogue, unless told otherwise. */
  readonly known?: readonly KnownModel[];
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
  /** Folder into which system packages were unpacked without privileges, if any (it holds `bin`). */
  readonly privateRoot?: string | undefined;
  readonly now: () => Date;
  /** Seconds between tries of a download. */
  readonly pauseSeconds?: number;
}

type Source = NonNullable<ModelManifest['source']>;
type File = ModelManifest['files'][number];

/** Below `MODELS_DIR`: what is on its way. Names that begin with a dot are no models. */
const INCOMING = '.incoming';
/** Below `MODELS_DIR`: address → SHA-256 seen at the first install of what nobody published one for. */
const PINS_FILE = '.pins.json';
/** Beside a release's files: the publisher's own list of their SHA-256. */
const LIST_FILE = 'checksum.txt';
/** A list is text of some hundred lines. */
const LARGEST_LIST = 2 ** 20;

/** @throws ModelFailure with a sentence for the operator */
export async function installModel(job: Installation): Promise<ModelManifest> {
  if (!modelNameSchema.safeParse(job.name).success) {
    throw new ModelFailure(`${job.name} cannot be a model's name`);
  }
  const incoming = path.join(job.folder, INCOMING);
  const staged = path.join(incoming, `${job.name}.${process.pid}`);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged);
  try {
    const manifest = await stage(job, incoming, staged);
    await writeFile(path.join(staged, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
    await putInPlace(staged, path.join(job.folder, job.name), incoming);
    return manifest;
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Brings the model's files into the staging folder, and describes them. */
async function stage(job: Installation, incoming: string, staged: string): Promise<ModelManifest> {
  const catalogue = job.known ?? knownModels;
  const known = catalogue.find(({ name }) => name === job.name);
  const from = job.from ?? known?.download.address;
  if (from === undefined) {
    const names = catalogue.map(({ name }) => name).join(', ');
    throw new ModelFailure(
      `there is no model ${job.name}: take one of ${names}, or say with --from where it is`,
    );
  }
  if (!isAddress(from) && (await isFolder(from))) {
    return takeDescribed(job, from, staged, { address: from, sha256: null, trust: 'folder' });
  }
  const arrived = isAddress(from)
    ? await fetchModel(job, known, incoming, from)
    : await takeFile(known, from);
  const unpacked = `${staged}.unpacked`;
  try {
    const manifest = await takeArrived(job, known, arrived, { from, unpacked, staged });
    if (isAddress(from)) await rm(arrived.file);
    if (arrived.source.trust === 'first-use') await pin(job.folder, arrived.source);
    return manifest;
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

interface Arrived {
  readonly file: string;
  readonly source: Source;
}

async function takeArrived(
  job: Installation,
  known: KnownModel | undefined,
  { file, source }: Arrived,
  places: { readonly from: string; readonly unpacked: string; readonly staged: string },
): Promise<ModelManifest> {
  const { from, unpacked, staged } = places;
  const archived = isArchive(nameOf(from));
  if (archived !== (known === undefined || known.archiveFolder !== undefined)) {
    throw new ModelFailure(`${from} is ${archived ? 'an archive' : 'no archive'}, by its name`);
  }
  if (!archived) {
    await mkdir(unpacked, { recursive: true });
    const [name] = Object.values((known as KnownModel).roles);
    await copyFile(file, path.join(unpacked, name as string));
    return takeKnown(job, known as KnownModel, unpacked, staged, source);
  }
  await unpack(file, unpacked, job);
  if (known === undefined) return takeDescribed(job, await rootOf(unpacked), staged, source);
  return takeKnown(job, known, path.join(unpacked, known.archiveFolder ?? ''), staged, source);
}

/** Downloads what the catalogue knows, or somebody's own, and finds out how far it can be trusted. */
async function fetchModel(
  job: Installation,
  known: KnownModel | undefined,
  incoming: string,
  address: string,
): Promise<Arrived> {
  const expected = known
    ? { sha256: known.download.sha256, trust: 'catalogue' as Trust }
    : ((await listed(address, job.signal)) ?? (await pinned(job.folder, address)));
  const short = createHash('sha256').update(address).digest('hex').slice(0, 16);
  const file = path.join(incoming, `${short}-${nameOf(address)}`);
  const sha256 = await download({
    address,
    file,
    bytes: known?.download.bytes,
    sha256: expected?.sha256,
    onProgress: job.onProgress,
    signal: job.signal,
    ...(job.pauseSeconds === undefined ? {} : { pauseSeconds: job.pauseSeconds }),
  });
  return { file, source: { address, sha256, trust: expected?.trust ?? 'first-use' } };
}

async function takeFile(known: KnownModel | undefined, file: string): Promise<Arrived> {
  const sha256 = await sha256Of(file);
  if (known && known.download.sha256 !== sha256) {
    throw new ModelFailure(
      `${file} is not ${known.name}: its SHA-256 is ${sha256} instead of ${known.download.sha256}`,
    );
  }
  return { file, source: { address: file, sha256, trust: known ? 'catalogue' : 'first-use' } };
}

/** The SHA-256 that the publisher lists beside a file, if there is such a list: a line has its name and its hash. */
async function listed(
  address: string,
  signal: AbortSignal | undefined,
): Promise<{ sha256: string; trust: Trust } | undefined> {
  const response = await fetch(new URL(LIST_FILE, address), { signal: signal ?? null }).catch(
    (cause: unknown) => {
      signal?.throwIfAborted();
      throw new ModelFailure(`${new URL(address).host} cannot be reached`, { cause });
    },
  );
  if (!response.ok) {
    await response.body?.cancel();
    return undefined;
  }
  const text = (await response.text()).slice(0, LARGEST_LIST);
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

async function pinned(folder: string, address: string) {
  const sha256 = (await readPins(folder))[address];
  return sha256 === undefined ? undefined : { sha256, trust: 'first-use' as Trust };
}

async function pin(folder: string, { address, sha256 }: Source): Promise<void> {
  const pins = { ...(await readPins(folder)), [address]: sha256 };
  const file = path.join(folder, PINS_FILE);
  await writeFile(`${file}.new`, `${JSON.stringify(pins, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

/** Takes a model of the catalogue: the files of its roles, and nothing else that came with them. */
async function takeKnown(
  job: Installation,
  known: KnownModel,
  root: string,
  staged: string,
  source: Source,
): Promise<ModelManifest> {
  const files: File[] = [];
  for (const role of Object.values(known.roles)) {
    for (const name of await filesOf(root, role)) files.push(await take(root, name, staged));
  }
  const { name, kind, languages, punctuated, licence, roles } = known;
  return {
    ...{ format: 1, name, kind, languages: [...languages], punctuated, licence, roles, files },
    detects_language: known.detectsLanguage,
    source,
    installed_at: job.now().toISOString(),
  };
}

/** Takes a model that describes itself, file by file as its `model.json` says. */
async function takeDescribed(
  job: Installation,
  root: string,
  staged: string,
  source: Source,
): Promise<ModelManifest> {
  const place = path.join(root, MANIFEST_FILE);
  const text = await readFile(place, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${place} is missing`, { cause });
  });
  const manifest = readManifest(text, place);
  if (manifest.name !== job.name) {
    throw new ModelFailure(`${place} is of ${manifest.name}, not of ${job.name}`);
  }
  for (const wanted of manifest.files) {
    const { bytes, sha256 } = await take(root, wanted.path, staged);
    if (bytes !== wanted.bytes || sha256 !== wanted.sha256) {
      throw new ModelFailure(`${path.join(root, wanted.path)} is not what ${MANIFEST_FILE} says`);
    }
  }
  return { ...manifest, source, installed_at: job.now().toISOString() };
}

/** Where a self-describing archive has its `model.json`: at its top, or in its one folder. */
async function rootOf(unpacked: string): Promise<string> {
  const entries = await readdir(unpacked);
  const [only] = entries;
  return entries.length === 1 && only && only !== MANIFEST_FILE
    ? path.join(unpacked, only)
    : unpacked;
}

/** A file, or all files of a folder; paths below the root. */
async function filesOf(root: string, role: string): Promise<string[]> {
  const place = path.join(root, role);
  const stats = await lstat(place).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${role} is missing in what came`, { cause });
  });
  if (!stats.isDirectory()) return [role];
  const entries = await readdir(place, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Copies a file, which has to be one and to lie below the root. */
async function take(root: string, name: string, staged: string): Promise<File> {
  const place = path.join(root, name);
  const real = await realpath(place).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${place} is missing`, { cause });
  });
  if (real !== path.join(await realpath(root), name) || !(await lstat(real)).isFile()) {
    throw new ModelFailure(`${place} is no file`);
  }
  const copy = path.join(staged, name);
  await mkdir(path.dirname(copy), { recursive: true });
  await copyFile(real, copy);
  return { path: name, bytes: (await stat(copy)).size, sha256: await sha256Of(copy) };
}

/** One rename, so that a model is there or not; one that was there before steps aside. */
async function putInPlace(staged: string, place: string, incoming: string): Promise<void> {
  const aside = path.join(incoming, `${path.basename(place)}.before`);
  await rm(aside, { recursive: true, force: true });
  await rename(place, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(staged, place);
  await rm(aside, { recursive: true, force: true });
}

function isAddress(from: string): boolean {
  return /^https?:\/\//.test(from);
}

/** @throws ModelFailure when there is nothing */
async function isFolder(from: string): Promise<boolean> {
  const stats = await stat(from).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`there is no such file or folder: ${from}`, { cause });
  });
  return stats.isDirectory();
}

/** The last part of an address or a path. */
function nameOf(from: string): string {
  return path.basename(isAddress(from) ? new URL(from).pathname : from);
}
