import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Resources } from '../load/resources.ts';
import { currentVersion } from './cluster.ts';

const execute = promisify(execFile);
const MIGRATIONS = 'apps/server/src/migrations';
/** Folder of the links to the project's own packages in `node_modules`. */
const OWN_SCOPE = '@linnet';

/** An earlier version of the program. */
export type PreviousVersion = {
  readonly folder: string;
  /** Git's abbreviated name of the commit. */
  readonly commit: string;
  /** Names of the migrations that the current version has in addition. */
  readonly newMigrations: readonly string[];
};

/**
 * Copies an earlier version from the git history into a temporary folder, with links to the installed dependencies.
 * @param revision a revision of git; by default the version before the last migration
 * @throws if there is no git history, or the version has the same migrations as the current one
 */
export async function openPreviousVersion(
  revision: string | undefined,
  resources: Resources,
): Promise<PreviousVersion> {
  const current = await listMigrations(currentVersion);
  const commit = await findCommit(revision, current.at(-1) ?? '');
  const folder = await resources.start(
    () => mkdtemp(join(tmpdir(), 'linnet-previous-')),
    (path) => rm(path, { recursive: true, force: true }),
  );
  const archive = join(folder, 'archive.tar');
  await git('archive', '--output', archive, commit);
  await execute('tar', ['--extract', '--file', archive, '--directory', folder]);
  await linkDependencies(folder);
  const previous = await listMigrations(folder);
  const newMigrations = current.filter((name) => !previous.includes(name));
  if (newMigrations.length === 0) throw new Error(`${commit} has the same tables`);
  return { folder, commit, newMigrations };
}

async function findCommit(revision: string | undefined, lastMigration: string): Promise<string> {
  const args = revision
    ? ['rev-parse', '--short', '--verify', `${revision}^{commit}`]
    : ['log', '-1', '--diff-filter=A', '--format=%p', '--', `${MIGRATIONS}/${lastMigration}`];
  // A merge commit has several parents.
  const [commit] = (await git(...args)).split(/\s/);
  if (!commit) throw new Error('this benchmark needs the git history, or UPDATE_FROM=<revision>');
  return commit;
}

/** Returns the file names of a version's migrations, in order. */
async function listMigrations(version: string): Promise<string[]> {
  const names = await readdir(join(version, MIGRATIONS));
  return names.filter((name) => /^\d{4}-.*\.ts$/.test(name)).sort();
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

async function git(...args: string[]): Promise<string> {
  return (await execute('git', args, { cwd: currentVersion })).stdout.trim();
}
