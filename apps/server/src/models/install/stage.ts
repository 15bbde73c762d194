/** Copies a model's files into the staging folder and verifies them. */
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  stat,
} from 'node:fs/promises';
import path from 'node:path';
import type { KnownModel } from '../catalog.ts';
import { ModelFailure } from '../failure.ts';
import { MANIFEST_FILE, type ModelManifest, readManifest } from '../manifest.ts';
import { hashFile } from '../store.ts';
import type { Installation, Source } from './installation.ts';

type File = ModelManifest['files'][number];

/** Stages a catalog model. Moves only the files needed by its roles out of the unpacked folder. */
export async function stageKnown(
  job: Installation,
  knownModel: KnownModel,
  root: string,
  staged: string,
  source: Source,
): Promise<ModelManifest> {
  const files: File[] = [];
  for (const role of Object.values(knownModel.roles)) {
    for (const name of await listFiles(root, role)) {
      files.push(await stageFile(staged, root, name, rename));
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

/** Stages a model that has a `model.json`, and verifies each file against it. */
export async function stageDescribed(
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
  for (const expectedFile of manifest.files) {
    const { bytes, sha256 } = await stageFile(staged, root, expectedFile.path, copyFile);
    if (bytes !== expectedFile.bytes || sha256 !== expectedFile.sha256) {
      throw new ModelFailure(
        `${path.join(root, expectedFile.path)} does not match ${MANIFEST_FILE}`,
      );
    }
  }
  return { ...manifest, source, installed_at: job.now().toISOString() };
}

/** Returns the folder that contains `model.json` in an unpacked archive: the root or its only subfolder. */
export async function findRoot(unpacked: string): Promise<string> {
  const entries = await readdir(unpacked);
  const [onlyEntry] = entries;
  return entries.length === 1 && onlyEntry && onlyEntry !== MANIFEST_FILE
    ? path.join(unpacked, onlyEntry)
    : unpacked;
}

/** Returns the files of a role, which may be a file or a folder. Paths are relative to the root. */
async function listFiles(root: string, role: string): Promise<string[]> {
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
async function stageFile(
  staged: string,
  root: string,
  name: string,
  transfer: typeof copyFile | typeof rename,
): Promise<File> {
  const target = path.join(root, name);
  const realPath = await realpath(target).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause;
    throw new ModelFailure(`${target} is missing`, { cause });
  });
  if (realPath !== path.join(await realpath(root), name) || !(await lstat(realPath)).isFile()) {
    throw new ModelFailure(`${target} is not a regular file`);
  }
  const copy = path.join(staged, name);
  await mkdir(path.dirname(copy), { recursive: true });
  await transfer(realPath, copy);
  return { path: name, bytes: (await stat(copy)).size, sha256: await hashFile(copy) };
}
