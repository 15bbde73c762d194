import { execFile } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { Resources } from '../processes/resources.ts';

const execute = promisify(execFile);
const decompress = promisify(brotliDecompress);
const MIGRATIONS = 'apps/server/src/migrations';
/** Folder of the links to the project's own packages in `node_modules`. */
const OWN_SCOPE = '@linnet';
/** The server before the last migration, as stored by `tooling/keep-version.mjs`. */
const keptArchive = join(import.meta.dirname, 'previous-version.tar.br');

/** Folder of the version that this file is part of. */
export const currentVersion = join(import.meta.dirname, '../..');

/** An earlier version of the server. */
export type PreviousVersion = {
  readonly folder: string;
  /** Names of the migrations that the current version has in addition, without `.ts`. */
  readonly newMigrations: readonly string[];
};

/**
 * Copies an earlier version into a temporary folder, with links to the installed dependencies.
 * @param revision a revision of git; by default the kept version, which needs no git history
 * @throws if there is no such revision, or the version has the same migrations as the current one
 */
export async function openPreviousVersion(
  resources: Resources,
  revision?: string,
): Promise<PreviousVersion> {
  const folder = await resources.start(
    () => mkdtemp(join(tmpdir(), 'linnet-previous-')),
    (path) => rm(path, { recursive: true, force: true }),
  );
  const archive = join(folder, 'archive.tar');
  if (revision) await execute('git', ['archive', '-o', archive, revision], { cwd: currentVersion });
  else await writeFile(archive, await decompress(await readFile(keptArchive)));
  await execute('tar', ['--extract', '--file', archive, '--directory', folder]);
  await linkDependencies(folder);
  const previous = await listMigrations(folder);
  const newMigrations = (await listMigrations(currentVersion)).filter(
    (name) => !previous.includes(name),
  );
  if (newMigrations.length === 0) throw new Error('the previous version has the same tables');
  return { folder, newMigrations };
}

/** Returns the names of a version's migrations, in order. */
async function listMigrations(version: string): Promise<string[]> {
  const names = await readdir(join(version, MIGRATIONS));
  return names
    .filter((name) => /^\d{4}-.*\.ts$/.test(name))
    .map((name) => name.slice(0, -'.ts'.length))
    .sort();
}

/** Links the installed dependencies into a version's folder, and its own packages instead of the current ones. */
async function linkDependencies(folder: string): Promise<void> {
  const installed = join(currentVersion, 'node_modules');
  const target = join(folder, 'node_modules');
  await mkdir(join(target, OWN_SCOPE), { recursive: true });
  for (const name of await readdir(installed)) {
    if (name !== OWN_SCOPE) await symlink(join(installed, name), join(target, name));
  }
  for (const name of await readdir(join(installed, OWN_SCOPE))) {
    // The links are relative, such as ../../packages/contract.
    const link = await readlink(join(installed, OWN_SCOPE, name));
    await symlink(link, join(target, OWN_SCOPE, name));
  }
  const server = 'apps/server/node_modules';
  await symlink(join(currentVersion, server), join(folder, server));
}
