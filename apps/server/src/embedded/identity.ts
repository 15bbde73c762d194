import { execFile } from 'node:child_process';
import { chown, lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRoot } from '../data-dir.ts';
import type { Binaries } from './binaries.ts';
import { copiedBinaries } from './binaries.ts';
import { PostgresFailure } from './failure.ts';

const run = promisify(execFile);

/**
 * As whom PostgreSQL runs; it refuses root.
 * - self: an ordinary user runs it as itself.
 * - setuid: root drops to an unprivileged user that can reach data and binaries.
 * - setpriv: the same, for data in a tree that only root can enter (a checkout in root's home): the
 *   one capability to pass through is left to it.
 * - unshare: root becomes an ordinary user of a namespace of its own, where setpriv is missing.
 */
export type Identity =
  | { readonly kind: 'self' }
  | { readonly kind: 'setuid'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'setpriv'; readonly uid: number; readonly gid: number }
  | { readonly kind: 'unshare'; readonly uid: number; readonly gid: number };

export type IdentityKind = Identity['kind'];

/** What to spawn so that `file` runs under an identity. */
export function asIdentity(
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
          // Else access(), which initdb asks about its own files, leaves the capability out.
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
 * Chooses the identity, with the least privilege that works here, and the binaries it can read.
 * @param home the folder that holds the cluster; it exists
 * @param only for tests: consider this kind alone
 * @throws PostgresFailure no-user
 */
export async function chooseIdentity(
  home: string,
  binaries: Binaries,
  only?: IdentityKind,
): Promise<{ identity: Identity; binaries: Binaries }> {
  if (!isRoot) return { identity: { kind: 'self' }, binaries };
  const user = await unprivilegedUser();
  const candidates: Identity[] = [];
  if (await passable(home)) candidates.push({ kind: 'setuid', ...user });
  candidates.push({ kind: 'setpriv', ...user }, { kind: 'unshare', ...user });
  for (const identity of candidates) {
    if (only !== undefined && identity.kind !== only) continue;
    const readable =
      identity.kind === 'setuid' && !(await passable(binaries.postgres))
        ? await copiedBinaries(binaries, home)
        : binaries;
    if (await works(identity, readable, home)) return { identity, binaries: readable };
  }
  throw new PostgresFailure(
    'no-user',
    `PostgreSQL does not run as root, and no other user can reach ${home}: set DATA_DIR to a folder such as /var/lib/linnet, or start as an ordinary user`,
  );
}

/** Makes a tree belong to whoever an identity is; free when it already does. */
export async function giveTo(identity: Identity, folder: string): Promise<void> {
  if (identity.kind === 'self') return;
  // In a user namespace the mapped user is root outside.
  const [uid, gid] = identity.kind === 'unshare' ? [0, 0] : [identity.uid, identity.gid];
  if ((await stat(folder)).uid === uid) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!(await lstat(file)).isSymbolicLink()) await chown(file, uid, gid);
  }
  // Last: it is what says that the whole tree is done.
  await chown(folder, uid, gid);
}

/** Whether initdb finds its own files under an identity: it looks at them the way the server does. */
async function works(identity: Identity, { initdb }: Binaries, home: string): Promise<boolean> {
  const { file, args, options } = asIdentity(identity, initdb, ['--show', `--pgdata=${home}/none`]);
  return run(file, args, { ...options, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** Whether any user can pass through every folder on the way to a file. */
async function passable(file: string): Promise<boolean> {
  const others = 0o001;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (((await stat(folder)).mode & others) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}

/** The system's postgres user if it has one, else nobody: initdb wants a user with a name. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const entry = ['postgres', 'nobody']
    .map((name) => lines.find(([user]) => user === name))
    .find((line) => line !== undefined);
  return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : { uid: 65534, gid: 65534 };
}
