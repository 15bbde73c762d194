import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Paths of PocketSphinx and its English model. */
export interface PocketSphinxInstallation {
  readonly program: string;
  readonly acousticModel: string;
  readonly dictionary: string;
  readonly languageModel: string;
  /** Environment variables that the program needs. */
  readonly env: Readonly<Record<string, string>>;
}

export type PocketSphinxSearch =
  | { readonly status: 'found'; readonly installation: PocketSphinxInstallation }
  | { readonly status: 'missing'; readonly code: 'engine-missing' | 'model-missing' };

/** Debian packages that contain the program and the model. */
export const POCKETSPHINX_PACKAGES = ['pocketsphinx', 'pocketsphinx-en-us'] as const;

/** Installation prefixes, which contain `bin` and `share`. */
const SYSTEM_PREFIXES = ['/usr', '/usr/local', '/opt/homebrew'] as const;

/**
 * Searches the private folder, then the system prefixes.
 * @param privateRoot folder of unpacked Debian packages, if any; it contains `usr`
 */
export async function findPocketSphinx(
  privateRoot: string | undefined,
  systemPrefixes: readonly string[] = SYSTEM_PREFIXES,
): Promise<PocketSphinxSearch> {
  const prefixes = [...(privateRoot ? [join(privateRoot, 'usr')] : []), ...systemPrefixes];
  const programs = await filterExisting(
    prefixes.map((prefix) => join(prefix, 'bin/pocketsphinx_batch')),
    constants.X_OK,
  );
  const models = await filterExisting(
    prefixes.map((prefix) => join(prefix, 'share/pocketsphinx/model/en-us')),
  );
  const [program] = programs;
  const [model] = models;
  if (program === undefined) return { status: 'missing', code: 'engine-missing' };
  if (model === undefined) return { status: 'missing', code: 'model-missing' };
  const isPrivate = privateRoot !== undefined && program.startsWith(join(privateRoot, 'usr'));
  return {
    status: 'found',
    installation: {
      program,
      acousticModel: join(model, 'en-us'),
      dictionary: join(model, 'cmudict-en-us.dict'),
      languageModel: join(model, 'en-us.lm.bin'),
      env: isPrivate
        ? { LD_LIBRARY_PATH: (await libraryFolders(privateRoot)).join(delimiter) }
        : {},
    },
  };
}

/** Returns the library folders and their subfolders (`lib/x86_64-linux-gnu`, `lib/x86_64-linux-gnu/blas`). */
async function libraryFolders(root: string): Promise<string[]> {
  const folders: string[] = [];
  for (const base of await filterExisting([join(root, 'usr/lib'), join(root, 'lib')])) {
    const entries = await readdir(base, { withFileTypes: true, recursive: true });
    folders.push(base);
    for (const entry of entries) {
      if (entry.isDirectory()) folders.push(join(entry.parentPath, entry.name));
    }
  }
  return folders;
}

async function filterExisting(
  paths: readonly string[],
  mode: number = constants.R_OK,
): Promise<string[]> {
  const accessible: string[] = [];
  for (const path of paths) {
    const isAccessible = await access(path, mode).then(
      () => true,
      () => false,
    );
    if (isAccessible) accessible.push(path);
  }
  return accessible;
}
