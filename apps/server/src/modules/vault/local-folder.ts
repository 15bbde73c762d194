/** A vault's folder on a disk of the server. */
import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { type FoundFile, VaultFailure, type VaultFolder } from './folder.ts';

/** Hidden, so that other programs leave drafts alone. */
const draftPrefix = '.linnet-';
/** Age after which a draft counts as left behind by a killed worker, in milliseconds. */
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
/** Errors of file systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Runs an operation. Errors of the file system become a `VaultFailure`. */
async function guard<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof VaultFailure) throw error;
    throw new VaultFailure(failureCodes[codeOf(error)] ?? 'failed', { cause: error });
  }
}

/** Returns null instead of throwing if a file doesn't exist. */
const orNull = async <Result>(result: Promise<Result>): Promise<Result | null> => {
  try {
    return await result;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const versionOf = ({ ino, size, mtimeMs }: Stats) => `${ino}-${size}-${mtimeMs}`;

/** @param folder absolute path; its parent must exist */
export function createLocalFolder(folder: string): VaultFolder {
  const pathOf = (name: string) => path.join(folder, name);

  /** True if the file is the expected one. */
  async function isUnchanged(file: string, expected: FoundFile | null): Promise<boolean> {
    const stats = await orNull(lstat(file));
    if (stats === null || expected === null) return stats === null && expected === null;
    return stats.isFile() && versionOf(stats) === expected.version;
  }

  /** Gives a file a second name. Returns false if the name is taken. */
  async function linkNew(from: string, to: string): Promise<boolean> {
    try {
      await link(from, to);
      await unlink(from);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      if (!noLinks.has(codeOf(error))) throw error;
    }
    if ((await orNull(lstat(to))) !== null) return false;
    await rename(from, to);
    return true;
  }

  async function writeDraft(content: Uint8Array): Promise<string> {
    const draft = pathOf(`${draftPrefix}${randomBytes(8).toString('hex')}`);
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
      const stats = await orNull(lstat(pathOf(name)));
      if (stats?.isFile() && Date.now() - stats.mtimeMs > draftMs)
        await orNull(unlink(pathOf(name)));
    }
  }

  return {
    open: (create) =>
      guard(async () => {
        // The parent is not created: it may be a disk that isn't mounted.
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
        // A symbolic link could lead out of the folder.
        const file = await orNull(open(pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW));
        if (file === null) {
          await stat(folder);
          return null;
        }
        try {
          const stats = await file.stat();
          if (!stats.isFile()) throw new VaultFailure('refused');
          const hash = createHash('sha256');
          for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk);
          return { digest: hash.digest('hex'), version: versionOf(stats) };
        } finally {
          await file.close();
        }
      }),

    write: (name, content, expected) =>
      guard(async () => {
        const target = pathOf(name);
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
        if ((await orNull(lstat(pathOf(from)))) === null) return 'missing';
        return (await linkNew(pathOf(from), pathOf(to))) ? 'done' : 'exists';
      }),

    delete: (name, expected) =>
      guard(async () => {
        const file = pathOf(name);
        if ((await orNull(lstat(file))) === null) return 'done';
        if (!(await isUnchanged(file, expected))) return 'conflict';
        await orNull(unlink(file));
        return 'done';
      }),

    close: () => undefined,
  };
}
