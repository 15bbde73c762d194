/**
 * A folder that the owner has picked, as the folder of a vault. The API has no conditions for writing and, outside of the
 * origin private file system, no renaming: files are read again immediately before they are written or deleted, and
 * copied instead of renamed.
 */
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { digestOf } from '@linnet/vault/digest';
import { nameKey } from '@linnet/vault/file-name';
import { type FoundFile, VaultFailure, type VaultFolder } from '@linnet/vault/folder';

/** Maximum size of a file that is read, in bytes. Notes are much smaller. */
const maxBytes = 64 * 1024 * 1024;
/** Milliseconds for which a folder that was there isn't checked again. The check takes longer the more files it has. */
const checkMs = 1000;
/** Time limit of an operation in milliseconds. A disk or a network drive may never answer. */
const maxMs = 120_000;

const failureCodes: Readonly<Record<string, VaultFailureCode>> = {
  NotFoundError: 'missing',
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  QuotaExceededError: 'full',
  // Another program has locked or changed the file.
  NoModificationAllowedError: 'busy',
  InvalidModificationError: 'busy',
  InvalidStateError: 'busy',
  NotReadableError: 'busy',
  // There is a folder with this name, or the browser considers the file dangerous.
  TypeMismatchError: 'refused',
  AbortError: 'refused',
};

function toFailure(cause: unknown): VaultFailure {
  if (cause instanceof VaultFailure) return cause;
  // The browser doesn't allow the name.
  if (cause instanceof TypeError) return new VaultFailure('refused', { cause });
  const name = cause instanceof DOMException ? cause.name : '';
  return new VaultFailure(failureCodes[name] ?? 'failed', { cause });
}

const isNotFound = (error: unknown) =>
  error instanceof DOMException && error.name === 'NotFoundError';

async function readContent(file: FileSystemFileHandle): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await file.getFile();
  if (blob.size > maxBytes) throw new VaultFailure('refused');
  return new Uint8Array(await blob.arrayBuffer());
}

/**
 * Removes invisible characters, such as the joiners of emoji, from the name of a file: Chromium refuses them in folders on
 * disk, though not in the origin private file system.
 */
const allowedName = (name: string) => name.replace(/[\p{Cf}\p{Noncharacter_Code_Point}]/gu, '');

/** The operations of a directory handle that a vault needs. */
type PickedFolder = Pick<
  FileSystemDirectoryHandle,
  'getFileHandle' | 'removeEntry' | 'keys' | 'entries'
>;

export function createPickedFolder(folder: PickedFolder): VaultFolder {
  /**
   * Whether an operation has taken too long. If it goes on later, it changes no file, because another pass may have begun.
   */
  let isLate = false;
  function checkTime(): void {
    if (isLate) throw new VaultFailure('timeout');
  }

  /** Runs an operation. A file that disappears meanwhile is `busy`, unless the folder has disappeared. */
  async function attempt<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await ensureFolder();
      throw new VaultFailure('busy', { cause: error });
    }
  }

  /** Runs an operation within the time limit. Errors of the browser become a `VaultFailure`. */
  async function guard<Result>(run: () => Promise<Result>): Promise<Result> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      isLate = true;
      late.reject(new VaultFailure('timeout'));
    }, maxMs);
    try {
      return await Promise.race([attempt(run), late.promise]);
    } catch (error) {
      throw toFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Writes a file in one step, if it still has the expected content. */
  async function replace(
    file: FileSystemFileHandle,
    content: Uint8Array<ArrayBuffer>,
    expectedDigest: string,
  ): Promise<boolean> {
    const draft = await file.createWritable();
    try {
      await draft.write(content);
      if ((await digestOf(await readContent(file))) === expectedDigest) {
        checkTime();
        await draft.close();
        return true;
      }
    } catch (error) {
      await draft.abort().catch(() => undefined);
      throw error;
    }
    await draft.abort();
    return false;
  }

  /** When the folder was last there (`performance.now()`). */
  let seenAt = Number.NEGATIVE_INFINITY;

  /** @throws DOMException NotFoundError if the folder has disappeared */
  async function ensureFolder(): Promise<void> {
    await folder.keys().next();
    seenAt = performance.now();
  }

  async function find(name: string): Promise<FileSystemFileHandle | null> {
    try {
      return await folder.getFileHandle(name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (performance.now() - seenAt >= checkMs) await ensureFolder();
      return null;
    }
  }

  /**
   * Creates a file with a content. Returns false if the name is taken. An empty file doesn't take it: it remains if the page
   * is closed while a file is created.
   */
  async function create(name: string, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const former = await find(name);
    if (former && (await former.getFile()).size > 0) return false;
    const file = await folder.getFileHandle(name, { create: true });
    const emptyDigest = await digestOf(new Uint8Array());
    try {
      return await replace(file, content, emptyDigest);
    } catch (error) {
      // Another program may have written the file meanwhile.
      const isEmpty = (await file.getFile().catch(() => null))?.size === 0;
      if (isEmpty) await folder.removeEntry(name).catch(() => undefined);
      throw error;
    }
  }

  /** Copies a file and deletes it. Returns false if the new name is taken by another content, or the file changes. */
  async function copyAndDelete(from: string, to: string): Promise<'done' | 'exists' | 'changed'> {
    const source = await folder.getFileHandle(from);
    const content = await readContent(source);
    const digest = await digestOf(content);
    if (!(await create(to, content))) {
      const target = await find(to);
      // An equal file is the copy of a move that was interrupted.
      if (!target || (await digestOf(await readContent(target))) !== digest) return 'exists';
    }
    if ((await digestOf(await readContent(source))) !== digest) return 'changed';
    checkTime();
    await folder.removeEntry(from);
    return 'done';
  }

  return {
    open: () => guard(ensureFolder),

    list: () =>
      guard(async () => {
        const names: string[] = [];
        for await (const [name, { kind }] of folder.entries()) {
          if (kind === 'file' && !name.startsWith('.')) names.push(name);
        }
        return names;
      }),

    read: (name) =>
      guard(async (): Promise<FoundFile | null> => {
        const file = await find(allowedName(name));
        return file && { digest: await digestOf(await readContent(file)), version: null };
      }),

    write: (wanted, content, expected) =>
      guard(async () => {
        const name = allowedName(wanted);
        if (expected === null) return (await create(name, content)) ? 'done' : 'conflict';
        const file = await find(name);
        if (!file) return 'conflict';
        return (await replace(file, content, expected.digest)) ? 'done' : 'conflict';
      }),

    move: (present, wanted) =>
      guard(async () => {
        const [from, to] = [allowedName(present), allowedName(wanted)];
        if (!(await find(from))) return 'missing';
        if (from === to) return 'done';
        let source = from;
        if (nameKey(from) === nameKey(to)) {
          // Some systems take both names for the same file, which must not be deleted as its own copy.
          source = `.linnet-${crypto.randomUUID()}`;
          if ((await copyAndDelete(from, source)) !== 'done') throw new VaultFailure('busy');
        }
        const moved = await copyAndDelete(source, to);
        if (moved === 'changed') throw new VaultFailure('busy');
        if (moved === 'exists' && source !== from) await copyAndDelete(source, from);
        return moved;
      }),

    delete: (wanted, expected) =>
      guard(async () => {
        const name = allowedName(wanted);
        const file = await find(name);
        if (!file) return 'done';
        if ((await digestOf(await readContent(file))) !== expected.digest) return 'conflict';
        checkTime();
        await folder.removeEntry(name);
        return 'done';
      }),

    close: () => undefined,
  };
}
