/** Chooses the system user that runs the embedded PostgreSQL, which refuses to run as root. */
import { execFile } from 'node:child_process';
import { chown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRoot } from '../data-dir.ts';
import type { Binaries } from './binaries.ts';
import { copyBinaries } from './binaries.ts';
import { PostgresFailure } from './failure.ts';

const run = promisify(execFile);

/**
 * The user that PostgreSQL runs as.
 * - self: the current, ordinary user.
 * - setuid: root switches to an unprivileged user that can access the data and binaries.
 * - setpriv: as setuid, but keeps the capability CAP_DAC_OVERRIDE to reach data inside a folder that only root can
 *   enter, such as a checkout in root's home.
 * - unshare: root becomes an ordinary user in a new user namespace, on systems without setpriv.
 */
export type Identity =
  | { readonly kind: 'self' }
  | { readonly kind: 'setuid'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'setpriv'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'unshare'; readonly uid: number; readonly gid: number };

export type IdentityKind = Identity['kind'];

/** Returns the command that runs `file` under an identity. */
export function commandAs(
  identity: Identity,
  file: string,
  args: readonly string[],
): { file: string; args: string[]; options: { uid?: number; gid?: number } } {
  switch (identity.kind) {
    case 'self':
      return { file, args: [...args], options: {} };
    case 'setuid':
      return { file, args: [...args], options: { uid: identity.uid, gid: identity.gid } };
    case 'setpriv':
      return {
        file: 'setpriv',
        args: [
          `--reuid=${identity.uid}`,
          `--regid=${identity.gid}`,
          '--clear-groups',
          '--no-new-privs',
          // Without this, the capability doesn't apply to access(), which initdb calls on its own files.
          '--securebits=+no_setuid_fixup',
          '--inh-caps=+dac_override',
          '--ambient-caps=+dac_override',
          file,
          ...args,
        ],
        options: {},
      };
    case 'unshare':
      return {
        file: 'unshare',
        args: [
          '--user',
          `--map-user=${identity.uid}`,
          `--map-group=${identity.gid}`,
          '--',
          file,
          ...args,
        ],
        options: {},
      };
  }
}

/**
 * Chooses the least privileged identity that works on this system, and binaries that it can read.
 * @param home existing folder that contains the cluster
 * @param onlyKind restricts the choice to one kind, for tests
 * @throws PostgresFailure no-user
 */
export async function chooseIdentity(
  home: string,
  binaries: Binaries,
  onlyKind?: IdentityKind,
): Promise<{ identity: Identity; binaries: Binaries }> {
  if (!isRoot) return { identity: { kind: 'self' }, binaries };
  const user = await unprivilegedUser();
  const candidates: Identity[] = [];
  if (await isTraversable(home)) candidates.push({ kind: 'setuid', ...user });
  candidates.push({ kind: 'setpriv', ...user }, { kind: 'unshare', ...user });
  for (const identity of candidates) {
    if (onlyKind !== undefined && identity.kind !== onlyKind) continue;
    const readable =
      identity.kind === 'setuid' && !(await isTraversable(binaries.postgres))
        ? await copyBinaries(binaries, home)
        : binaries;
    if (await canRun(identity, readable, home)) return { identity, binaries: readable };
  }
  throw new PostgresFailure(
    'no-user',
    `PostgreSQL doesn't run as root, and no other user can access ${home}: set DATA_DIR to a folder such as /var/lib/linnet, or start as an ordinary user`,
  );
}

/**
 * Makes an identity the owner of a folder and everything in it. Returns immediately if it already owns the folder
 * itself.
 */
export async function chownTree(identity: Identity, folder: string): Promise<void> {
  if (identity.kind === 'self') return;
  // The mapped user is root outside of the user namespace.
  const [uid, gid] = identity.kind === 'unshare' ? [0, 0] : [identity.uid, identity.gid];
  if ((await stat(folder)).uid === uid) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!(await lstat(file)).isSymbolicLink()) await chown(file, uid, gid);
  }
  // Change the folder itself last, because its ownership marks the tree as complete (see above).
  await chown(folder, uid, gid);
}

/**
 * Returns whether initdb can access its own files when run under an identity. The server accesses them in the same way.
 */
async function canRun(identity: Identity, { initdb }: Binaries, home: string): Promise<boolean> {
  const { file, args, options } = commandAs(identity, initdb, ['--show', `--pgdata=${home}/none`]);
  return run(file, args, { ...options, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** Returns whether any user can traverse all of a file's parent folders. */
async function isTraversable(file: string): Promise<boolean> {
  const othersExecute = 0o001;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (((await stat(folder)).mode & othersExecute) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** Finds the system's `postgres` or `nobody` user, because initdb requires a named user. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = ['postgres', 'nobody']
    .map((name) => lines.find(([user]) => user === name))
    .find((line) => line !== undefined);
  return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : { uid: 65534, gid: 65534 };
}
