/** Manages the installed models. Each has its own folder. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { knownModels } from './catalog.ts';
import { ModelFailure } from './failure.ts';
import { MANIFEST_FILE, type ModelManifest, readManifest } from './manifest.ts';

export interface InstalledModel {
  readonly folder: string;
  readonly manifest: ModelManifest;
}

/** A model's folder. Complete if all files have the right size, otherwise damaged. */
export type StoredModel =
  | ({ readonly state: 'complete'; readonly name: string } & InstalledModel)
  | { readonly state: 'damaged'; readonly name: string; readonly reason: string };

export interface ModelStore {
  readonly folder: string;
  /** Lists all models by preference: custom ones first, then in catalog order. Only file sizes are checked. */
  list(): Promise<readonly StoredModel[]>;
  /** Lists the complete models. */
  installed(): Promise<readonly InstalledModel[]>;
  /**
   * Verifies that no file has changed since the model was installed. Always checks sizes. Hashes contents once per
   * process, and again after a file's modification.
   * @throws ModelFailure
   */
  verify(model: InstalledModel): Promise<void>;
  /** @throws ModelFailure if the model isn't installed */
  remove(name: string): Promise<void>;
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Returns the position in the catalog, or -1 for custom models, which come first. */
function rank({ name }: StoredModel): number {
  return knownModels.findIndex((knownModel) => knownModel.name === name);
}

/** Opens the folder of installed models. @param folder `MODELS_DIR`. It need not exist. */
export function openModels(folder: string): ModelStore {
  /** The state of each file when its content was last verified. */
  const verified = new Map<string, string>();

  async function names(): Promise<string[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => name)
        .sort();
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  async function inspect(name: string): Promise<StoredModel> {
    const modelFolder = path.join(folder, name);
    const file = path.join(modelFolder, MANIFEST_FILE);
    try {
      const manifest = readManifest(await readFile(file, 'utf8'), file);
      if (manifest.name !== name) throw new ModelFailure(`${file} describes ${manifest.name}`);
      for (const expectedFile of manifest.files) await checkSize(modelFolder, expectedFile);
      return { state: 'complete', name, folder: modelFolder, manifest };
    } catch (error) {
      if (error instanceof ModelFailure) return { state: 'damaged', name, reason: error.message };
      if (isAbsent(error)) return { state: 'damaged', name, reason: `${file} is missing` };
      throw error;
    }
  }

  const list = async () => {
    const models = await Promise.all((await names()).map(inspect));
    return models.sort((a, b) => rank(a) - rank(b));
  };

  return {
    folder,
    list,

    async installed() {
      return (await list()).filter((model) => model.state === 'complete');
    },

    async verify(model) {
      for (const expectedFile of model.manifest.files) {
        const file = path.join(model.folder, expectedFile.path);
        const { mtimeMs, ctimeMs, ino } = await checkSize(model.folder, expectedFile);
        const stamp = `${ino} ${mtimeMs} ${ctimeMs} ${expectedFile.sha256}`;
        if (verified.get(file) === stamp) continue;
        if ((await hashFile(file)) !== expectedFile.sha256) {
          throw new ModelFailure(`${file} has changed since it was installed: its SHA-256 differs`);
        }
        verified.set(file, stamp);
      }
    },

    async remove(name) {
      if (!(await names()).includes(name)) throw new ModelFailure(`no model ${name} is installed`);
      await rm(path.join(folder, name), { recursive: true });
    },
  };
}

async function checkSize(folder: string, { path: name, bytes }: ModelManifest['files'][number]) {
  const file = path.join(folder, name);
  const stats = await lstat(file).catch((cause: unknown) => {
    if (isAbsent(cause)) throw new ModelFailure(`${file} is missing`, { cause });
    throw cause;
  });
  if (!stats.isFile()) throw new ModelFailure(`${file} is not a regular file`);
  if (stats.size !== bytes) {
    throw new ModelFailure(`${file} has ${stats.size} bytes instead of ${bytes}`);
  }
  return stats;
}

/** Computes a file's SHA-256 in hex, with constant memory. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
