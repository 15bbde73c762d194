/**
 * Implements a vault's folder on a folder that the user has picked. The File System Access API has no conditional
 * writes and, outside of the origin-private file system, can't rename files. Files are therefore read again immediately
 * before they are written or deleted, and copied instead of renamed.
 */
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { computeDigest } from '@linnet/vault/digest';
import { nameKey } from '@linnet/vault/file-name';
import { type FoundFile, VaultFailure, type VaultFolder } from '@linnet/vault/folder';

/** Maximum size of a file to read, in bytes. Notes are much smaller. */
const maxBytes = 64 * 1024 * 1024;
/**
 * How long the folder counts as present after it was last seen, in milliseconds. The more files it has, the longer a
 * check takes.
 */
const checkMs = 1000;
/** Timeout of an operation in milliseconds. A disk or a network drive may never respond. */
const timeoutMs = 120_000;

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
 * Removes invisible characters, such as the joiners of emoji, from a file name, because Chromium refuses them in
 * folders on disk, though not in the origin-private file system.
 */
const allowedName = (name: string) => name.replace(/[\p{Cf}\p{Noncharacter_Code_Point}]/gu, '');

/** The operations of a directory handle that a vault needs. */
type PickedFolder = Pick<
  FileSystemDirectoryHandle,
  'getFileHandle' | 'removeEntry' | 'keys' | 'entries'
>;

export function createPickedFolder(folder: PickedFolder): VaultFolder {
  /**
   * Whether an operation has timed out. If it resumes later, it must not change any file, because another pass may have
   * started.
   */
  let hasTimedOut = false;
  function throwIfTimedOut(): void {
    if (hasTimedOut) throw new VaultFailure('timeout');
  }

  /**
   * Runs an operation. If a file disappears during the operation, throws `busy`, unless the whole folder has
   * disappeared.
   */
  async function attempt<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await ensureFolder();
      throw new VaultFailure('busy', { cause: error });
    }
  }

  /** Runs an operation with a timeout, and converts the browser's errors to `VaultFailure`. */
  async function guard<Result>(run: () => Promise<Result>): Promise<Result> {
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      hasTimedOut = true;
      timeout.reject(new VaultFailure('timeout'));
    }, timeoutMs);
    try {
      return await Promise.race([attempt(run), timeout.promise]);
    } catch (error) {
      throw toFailure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Replaces a file's content in a single step, if it is still the expected content.
   * @returns false if another program has changed it
   */
  async function replace(
    file: FileSystemFileHandle,
    content: Uint8Array<ArrayBuffer>,
    expectedDigest: string,
  ): Promise<boolean> {
    const draft = await file.createWritable();
    try {
      await draft.write(content);
      if ((await computeDigest(await readContent(file))) === expectedDigest) {
        throwIfTimedOut();
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

  /** When the folder was last seen (`performance.now()`). */
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
   * Creates a file with the given content. Returns false if the name is taken. Overwrites an empty file, which remains
   * if the page is closed while it creates a file.
   */
  async function create(name: string, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const existing = await find(name);
    if (existing && (await existing.getFile()).size > 0) return false;
    const file = await folder.getFileHandle(name, { create: true });
    const emptyDigest = await computeDigest(new Uint8Array());
    try {
      return await replace(file, content, emptyDigest);
    } catch (error) {
      // Another program may have written the file since.
      const isEmpty = (await file.getFile().catch(() => null))?.size === 0;
      if (isEmpty) await folder.removeEntry(name).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Copies a file and deletes the original. Returns `exists` if a file with different content has the new name, and
   * `changed` if the original has changed since it was read.
   */
  async function copyAndDelete(from: string, to: string): Promise<'done' | 'exists' | 'changed'> {
    const source = await folder.getFileHandle(from);
    const content = await readContent(source);
    const digest = await computeDigest(content);
    if (!(await create(to, content))) {
      const target = await find(to);
      // A file with the same content is a copy left by an interrupted move.
      if (!target || (await computeDigest(await readContent(target))) !== digest) return 'exists';
    }
    if ((await computeDigest(await readContent(source))) !== digest) return 'changed';
    throwIfTimedOut();
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
        return file && { digest: await computeDigest(await readContent(file)), version: null };
      }),

    write: (requestedName, content, expected) =>
      guard(async () => {
        const name = allowedName(requestedName);
        if (expected === null) return (await create(name, content)) ? 'done' : 'conflict';
        const file = await find(name);
        if (!file) return 'conflict';
        return (await replace(file, content, expected.digest)) ? 'done' : 'conflict';
      }),

    move: (currentName, requestedName) =>
      guard(async () => {
        const [from, to] = [allowedName(currentName), allowedName(requestedName)];
        if (!(await find(from))) return 'missing';
        if (from === to) return 'done';
        let source = from;
        if (nameKey(from) === nameKey(to)) {
          // Some file systems consider both names the same, so the file would be deleted as its own copy. Move it to a
          // temporary name first.
          source = `.linnet-${crypto.randomUUID()}`;
          if ((await copyAndDelete(from, source)) !== 'done') throw new VaultFailure('busy');
        }
        const moved = await copyAndDelete(source, to);
        if (moved === 'changed') throw new VaultFailure('busy');
        if (moved === 'exists' && source !== from) await copyAndDelete(source, from);
        return moved;
      }),

    delete: (requestedName, expected) =>
      guard(async () => {
        const name = allowedName(requestedName);
        const file = await find(name);
        if (!file) return 'done';
        if ((await computeDigest(await readContent(file))) !== expected.digest) return 'conflict';
        throwIfTimedOut();
        await folder.removeEntry(name);
        return 'done';
      }),

    close: () => undefined,
  };
}
