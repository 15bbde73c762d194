/** The folder of installed models, one folder each. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { knownModels } from './catalogue.ts';
import { ModelFailure } from './failure.ts';
import { MANIFEST_FILE, type ModelManifest, readManifest } from './manifest.ts';

export interface InstalledModel {
  readonly folder: string;
  readonly manifest: ModelManifest;
}

/** What lies in the folder under a name: a model with files of the right sizes, or something else. */
export type StoredModel =
  | ({ readonly state: 'complete'; readonly name: string } & InstalledModel)
  | { readonly state: 'damaged'; readonly name: string; readonly reason: string };

export interface ModelStore {
  readonly folder: string;
  /** All there is, the most fitting first: one's own, then as the catalogue has them. Looks at sizes alone. */
  list(): Promise<readonly StoredModel[]>;
  /** The complete ones. */
  installed(): Promise<readonly InstalledModel[]>;
  /**
   * Makes sure that every file is the one that was installed. Contents are read once for each process, and
   * again when a file was written since; sizes always.
   * @throws ModelFailure
   */
  verify(model: InstalledModel): Promise<void>;
  /** @throws ModelFailure when there is none */
  remove(name: string): Promise<void>;
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Own models first, then the order of the catalogue. */
function rank({ name }: StoredModel): number {
  return knownModels.findIndex((known) => known.name === name);
}

/** @param folder `MODELS_DIR`; it need not exist */
export function openModels(folder: string): ModelStore {
  /** File → what it was when its content was seen to be right. */
  const seen = new Map<string, string>();

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

  async function look(name: string): Promise<StoredModel> {
    const own = path.join(folder, name);
    const file = path.join(own, MANIFEST_FILE);
    try {
      const manifest = readManifest(await readFile(file, 'utf8'), file);
      if (manifest.name !== name) throw new ModelFailure(`${file} is of ${manifest.name}`);
      for (const wanted of manifest.files) await sizeOf(own, wanted);
      return { state: 'complete', name, folder: own, manifest };
    } catch (error) {
      if (error instanceof ModelFailure) return { state: 'damaged', name, reason: error.message };
      if (isAbsent(error)) return { state: 'damaged', name, reason: `${file} is missing` };
      throw error;
    }
  }

  const list = async () => {
    const found = await Promise.all((await names()).map(look));
    return found.sort((a, b) => rank(a) - rank(b));
  };

  return {
    folder,
    list,

    async installed() {
      return (await list()).filter((model) => model.state === 'complete');
    },

    async verify(model) {
      for (const wanted of model.manifest.files) {
        const file = path.join(model.folder, wanted.path);
        const { mtimeMs, ctimeMs, ino } = await sizeOf(model.folder, wanted);
        const stamp = `${ino} ${mtimeMs} ${ctimeMs} ${wanted.sha256}`;
        if (seen.get(file) === stamp) continue;
        if ((await sha256Of(file)) !== wanted.sha256) {
          throw new ModelFailure(`${file} is not what was installed: its SHA-256 differs`);
        }
        seen.set(file, stamp);
      }
    },

    async remove(name) {
      if (!(await names()).includes(name)) throw new ModelFailure(`no model ${name} is installed`);
      await rm(path.join(folder, name), { recursive: true });
    },
  };
}

async function sizeOf(folder: string, { path: name, bytes }: ModelManifest['files'][number]) {
  const file = path.join(folder, name);
  const stats = await lstat(file).catch((cause: unknown) => {
    if (isAbsent(cause)) throw new ModelFailure(`${file} is missing`, { cause });
    throw cause;
  });
  if (!stats.isFile()) throw new ModelFailure(`${file} is no file`);
  if (stats.size !== bytes) {
    throw new ModelFailure(`${file} has ${stats.size} bytes instead of ${bytes}`);
  }
  return stats;
}

/** Of a file however large; 64 hexadecimal digits. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
