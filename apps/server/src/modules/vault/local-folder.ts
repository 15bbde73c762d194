/** A vault's folder on the server's disk. */
import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { type FoundFile, VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { DeadlineFailure, withTimeout } from '../../deadline.ts';
import type { GetSignal } from './signal.ts';

/** Prefix of temporary files. Hidden, so other programs ignore them. */
const draftPrefix = '.linnet-';
/** Age after which a temporary file is considered left behind by a killed worker, in milliseconds. */
const draftMs = 3_600_000;

const failureCodes: Readonly<Record<string, VaultFailureCode>> = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'denied',
  EPERM: 'denied',
  EROFS: 'denied',
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'refused',
  EINVAL: 'refused',
  EILSEQ: 'refused',
  EISDIR: 'refused',
  ELOOP: 'refused',
  EBUSY: 'busy',
};
/** Errors of file systems that don't support hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Default timeout of an operation, including the wait for earlier operations, in milliseconds. */
const defaultLimitMs = 30_000;
let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs disk operations one at a time. An operation on an unresponsive disk can't be aborted and blocks a thread of
 * Node's thread pool. Running them in sequence ensures that at most one thread is blocked.
 * @throws VaultFailure busy after the timeout; the operation may still finish later
 */
export async function runExclusively<Result>(
  run: () => Promise<Result>,
  limitMs = defaultLimitMs,
): Promise<Result> {
  let hasTimedOut = false;
  const work = latest.then(() => {
    if (hasTimedOut) throw new VaultFailure('busy');
    return run();
  });
  latest = work.catch(() => undefined);
  try {
    return await withTimeout(limitMs, work);
  } catch (error) {
    if (!(error instanceof DeadlineFailure)) throw error;
    hasTimedOut = true;
    throw new VaultFailure('busy', { cause: error });
  }
}

/** Runs an operation, and converts file system errors to `VaultFailure`. */
async function convertErrors<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof VaultFailure) throw error;
    throw new VaultFailure(failureCodes[errorCode(error)] ?? 'failed', { cause: error });
  }
}

/** Returns null instead of throwing if a file doesn't exist. */
const orNull = async <Result>(result: Promise<Result>): Promise<Result | null> => {
  try {
    return await result;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
};

const fileVersion = ({ ino, size, mtimeMs }: Stats) => `${ino}-${size}-${mtimeMs}`;

export interface LocalFolderOptions {
  readonly getSignal?: GetSignal | undefined;
  /** Timeout of an operation, including the wait for earlier operations, in milliseconds. Defaults to 30 seconds. */
  readonly limitMs?: number;
}

/** @param folder absolute path; its parent must exist */
export function createLocalFolder(
  folder: string,
  { getSignal, limitMs }: LocalFolderOptions = {},
): VaultFolder {
  const toPath = (name: string) => path.join(folder, name);
  const guard = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (getSignal?.().aborted) throw new VaultFailure('timeout');
    return runExclusively(() => convertErrors(run), limitMs);
  };

  /** Returns whether the file still has the expected content. */
  async function isUnchanged(file: string, expected: FoundFile | null): Promise<boolean> {
    const stats = await orNull(lstat(file));
    if (stats === null || expected === null) return stats === null && expected === null;
    return stats.isFile() && fileVersion(stats) === expected.version;
  }

  /**
   * Finishes a move that was interrupted when a worker was killed, which leaves a file with two names (hard links).
   * Returns false if the names belong to different files.
   */
  async function finishMove(from: string, to: string): Promise<boolean> {
    const [source, target] = [from, to].map((file) => orNull(lstat(file, { bigint: true })));
    const [old, found] = [await source, await target];
    if (!old || !found || old.ino !== found.ino || old.dev !== found.dev) return false;
    const names = new Set(await readdir(folder));
    // On a case-insensitive file system, names that differ only in case are a single entry, which must not be deleted.
    if (names.has(path.basename(from)) && names.has(path.basename(to))) await unlink(from);
    else await rename(from, to);
    return true;
  }

  /**
   * Moves a file without ever overwriting another file: adds a hard link with the new name, then removes the old name.
   * Returns false if the new name is taken.
   */
  async function linkNew(from: string, to: string): Promise<boolean> {
    try {
      await link(from, to);
      await unlink(from);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return finishMove(from, to);
      if (!noLinks.has(errorCode(error))) throw error;
    }
    if ((await orNull(lstat(to))) !== null) return false;
    await rename(from, to);
    return true;
  }

  async function writeDraft(content: Uint8Array): Promise<string> {
    const draft = toPath(`${draftPrefix}${randomBytes(8).toString('hex')}`);
    const file = await open(draft, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    return draft;
  }

  async function deleteOldDrafts(): Promise<void> {
    for (const name of await readdir(folder)) {
      if (!name.startsWith(draftPrefix)) continue;
      const stats = await orNull(lstat(toPath(name)));
      if (stats?.isFile() && Date.now() - stats.mtimeMs > draftMs)
        await orNull(unlink(toPath(name)));
    }
  }

  return {
    open: (create) =>
      guard(async () => {
        // Don't create the parent, because it may be the mount point of a disk that isn't mounted.
        if (create && (await orNull(stat(folder))) === null) await mkdir(folder);
        if (!(await stat(folder)).isDirectory()) throw new VaultFailure('missing');
        await deleteOldDrafts();
      }),

    list: () =>
      guard(async () => {
        const entries = await readdir(folder, { withFileTypes: true });
        return entries
          .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
          .map(({ name }) => name);
      }),

    read: (name) =>
      guard(async () => {
        // Don't follow symbolic links, which could lead out of the folder.
        const file = await orNull(open(toPath(name), constants.O_RDONLY | constants.O_NOFOLLOW));
        if (file === null) {
          await stat(folder);
          return null;
        }
        try {
          const stats = await file.stat();
          if (!stats.isFile()) throw new VaultFailure('refused');
          const hash = createHash('sha256');
          for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
          return { digest: hash.digest('hex'), version: fileVersion(stats) };
        } finally {
          await file.close();
        }
      }),

    write: (name, content, expected) =>
      guard(async () => {
        const target = toPath(name);
        const draft = await writeDraft(content);
        try {
          if (expected === null) return (await linkNew(draft, target)) ? 'done' : 'conflict';
          if (!(await isUnchanged(target, expected))) return 'conflict';
          await rename(draft, target);
          return 'done';
        } finally {
          await orNull(unlink(draft));
        }
      }),

    move: (from, to) =>
      guard(async () => {
        if ((await orNull(lstat(toPath(from)))) === null) return 'missing';
        return (await linkNew(toPath(from), toPath(to))) ? 'done' : 'exists';
      }),

    delete: (name, expected) =>
      guard(async () => {
        const file = toPath(name);
        if ((await orNull(lstat(file))) === null) return 'done';
        if (!(await isUnchanged(file, expected))) return 'conflict';
        await orNull(unlink(file));
        return 'done';
      }),

    close: () => undefined,
  };
}
