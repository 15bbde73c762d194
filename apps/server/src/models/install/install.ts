/** Installs models atomically: an installed model is always complete, verified and described by a `model.json`. */
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type KnownModel, knownModels } from '../catalog.ts';
import { ModelFailure } from '../failure.ts';
import { MANIFEST_FILE, type ModelManifest, modelNameSchema } from '../manifest.ts';
import { isArchive, unpack } from '../unpack.ts';
import { pinChecksum } from './checksums.ts';
import type { Installation, ObtainedFile } from './installation.ts';
import { getFileName, isAddress } from './location.ts';
import { downloadModel, useFile } from './obtain.ts';
import { findRoot, stageDescribed, stageKnown } from './stage.ts';

/** Staging folder in `MODELS_DIR`. Models never have names that start with a dot. */
const INCOMING_FOLDER = '.incoming';
/** Installs a model and returns its manifest. @throws ModelFailure with a sentence for the operator */
export async function installModel(job: Installation): Promise<ModelManifest> {
  if (!modelNameSchema.safeParse(job.name).success) {
    throw new ModelFailure(`${job.name} is not a valid model name`);
  }
  const incoming = path.join(job.folder, INCOMING_FOLDER);
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
 * Removes leftovers of killed installations from the staging folder, except for downloads, which can be resumed. The
 * caller must hold the folder's lock.
 */
export async function sweepIncoming(folder: string): Promise<void> {
  const incoming = path.join(folder, INCOMING_FOLDER);
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

/** Copies the model's files into the staging folder, and returns their manifest. */
async function stage(job: Installation, incoming: string, staged: string): Promise<ModelManifest> {
  const catalog = job.catalog ?? knownModels;
  const knownModel = catalog.find(({ name }) => name === job.name);
  const from = job.from ?? (knownModel && getAddress(knownModel, job.mirror));
  if (from === undefined) {
    const names = catalog.map(({ name }) => name).join(', ');
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

/** Returns the download URL of a catalog model, at its publisher or a mirror. */
export function getAddress({ download }: KnownModel, mirror: string | undefined): string {
  return mirror === undefined ? download.address : `${mirror}/${getFileName(download.address)}`;
}

async function stageFile(
  job: Installation,
  knownModel: KnownModel | undefined,
  { file, source }: ObtainedFile,
  places: { readonly from: string; readonly unpacked: string; readonly staged: string },
): Promise<ModelManifest> {
  const { from, unpacked, staged } = places;
  const archived = isArchive(getFileName(from));
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
  if (knownModel === undefined)
    return stageDescribed(job, await findRoot(unpacked), staged, source);
  return stageKnown(
    job,
    knownModel,
    path.join(unpacked, knownModel.archiveFolder ?? ''),
    staged,
    source,
  );
}

/** Moves the staged model into place with a single rename. Moves an existing model aside first. */
async function moveIntoPlace(staged: string, target: string, incoming: string): Promise<void> {
  const backupPath = path.join(incoming, `${path.basename(target)}.before`);
  await rm(backupPath, { recursive: true, force: true });
  await rename(target, backupPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(staged, target);
  await rm(backupPath, { recursive: true, force: true });
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
