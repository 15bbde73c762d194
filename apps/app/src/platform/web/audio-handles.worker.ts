import wasmUrl from '@evan/opus/wasm/opus.wasm?url';
import { AudioFailure } from '@linnet/audio/failure';
import { loadOpus } from '@linnet/audio/opus';
import { lazy } from '@linnet/base';
import type { AudioStoreErrorCode } from '@linnet/sync';
import type { WorkerResult } from './audio-files-api.ts';
import { type AudioFileKind, audioFolder, fileName } from './audio-folder.ts';

/** File access functions shared by the audio workers. */

export type Handle = FileSystemSyncAccessHandle;

/** The name of the folder for this server's files, which the page passes as the worker's name. */
export const store = globalThis.name;

/** Fetches a file that is bundled with the app, such as a codec. */
export async function fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} could not be loaded: HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Loads the Opus codec. */
export const loadCodec = lazy(async () => loadOpus(await fetchBytes(wasmUrl)));

export async function openAudioFolder(): Promise<FileSystemDirectoryHandle> {
  let directory = await navigator.storage.getDirectory();
  for (const name of audioFolder(store)) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return directory;
}

/**
 * Number of retries for a locked file, for 5 seconds in total. After a reload, the previous page's workers may still
 * have their files open.
 */
const LOCK_RETRIES = 50;
/** Delay in milliseconds between these retries. */
const LOCK_RETRY_MS = 100;

/** Retries an operation while the file is locked. */
async function retryWhileLocked<T>(run: () => Promise<T>): Promise<T> {
  for (let remainingRetries = LOCK_RETRIES; ; remainingRetries -= 1) {
    try {
      return await run();
    } catch (error) {
      const isLocked = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isLocked || remainingRetries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
  }
}

/**
 * Opens a file for exclusive access.
 * @param create whether to create the file if it doesn't exist
 */
export async function openHandle(
  id: string,
  kind: AudioFileKind,
  create: boolean,
): Promise<Handle> {
  const file = await (await openAudioFolder()).getFileHandle(fileName(id, kind), { create });
  return retryWhileLocked(() => file.createSyncAccessHandle());
}

/**
 * Writes bytes at an offset.
 * @throws DOMException `QuotaExceededError` if storage is full
 */
export function writeAll(handle: Handle, bytes: Uint8Array<ArrayBuffer>, offset: number): void {
  const bytesWritten = handle.write(bytes, { at: offset });
  // Browsers report full storage as an incomplete write.
  if (bytesWritten < bytes.length) {
    throw new DOMException('The write was incomplete.', 'QuotaExceededError');
  }
}

/** Number of bytes that a {@link FileAppender} buffers: 32 seconds of packets in the recorder's format. */
const APPENDER_BYTES = 256 * 1024;

/** Appends to a file in large chunks, because every write that enlarges a file waits for another browser process. */
export class FileAppender {
  readonly #handle: Handle;
  readonly #buffer = new Uint8Array(APPENDER_BYTES);
  #filled = 0;
  #written: number;

  /** @param size the file is first truncated to this size */
  constructor(handle: Handle, size = 0) {
    this.#handle = handle;
    this.#written = size;
    handle.truncate(size);
  }

  /** The size of the file in bytes, including what hasn't been written yet. */
  get size(): number {
    return this.#written + this.#filled;
  }

  /** @throws DOMException `QuotaExceededError` if storage is full */
  append(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length > APPENDER_BYTES - this.#filled) this.#writeBuffer();
    if (bytes.length > APPENDER_BYTES) {
      this.#write(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled += bytes.length;
  }

  /**
   * Writes the remaining bytes to disk.
   * @throws DOMException `QuotaExceededError` if storage is full
   */
  end(): void {
    this.#writeBuffer();
    this.#handle.flush();
  }

  #writeBuffer(): void {
    this.#write(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #write(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length === 0) return;
    writeAll(this.#handle, bytes, this.#written);
    this.#written += bytes.length;
  }
}

/**
 * The file system's function to rename a file, which is missing in older browsers and in TypeScript's types. WebKit
 * requires both arguments.
 */
type Movable = {
  readonly move?: (folder: FileSystemDirectoryHandle, name: string) => Promise<void>;
};

/** Whether files can be renamed. */
export const canRename = 'move' in FileSystemFileHandle.prototype;

/** Renames a file, which replaces the recording's file of the new kind. */
export async function renameFile(
  id: string,
  from: AudioFileKind,
  to: AudioFileKind,
): Promise<void> {
  await removeFile(id, to);
  const folder = await openAudioFolder();
  const file = await folder.getFileHandle(fileName(id, from));
  await (file as Movable).move?.(folder, fileName(id, to));
}

/** Deletes a file if it exists. */
export async function removeFile(id: string, kind: AudioFileKind): Promise<void> {
  try {
    const folder = await openAudioFolder();
    await retryWhileLocked(() => folder.removeEntry(fileName(id, kind)));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
  }
}

/**
 * Runs an operation and converts its outcome to a result that can be sent to the page.
 * @param getErrorCode returns an error's code, or null to use the audio store's code
 */
export async function toResult<T, Code extends string = never>(
  run: () => Promise<T>,
  getErrorCode: (error: unknown) => Code | null = () => null,
): Promise<WorkerResult<T, Code>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return {
      ok: false,
      code: getErrorCode(error) ?? storeErrorCode(error),
      message: String(error),
    };
  }
}

function storeErrorCode(error: unknown): AudioStoreErrorCode {
  if (error instanceof AudioFailure) return 'not_audio';
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'storage_full';
  // A file outside the origin-private file system becomes unreadable if it changes after it was opened.
  const isMissing = error instanceof DOMException && /^Not(Found|Readable)Error$/.test(error.name);
  if (isMissing) return 'file_missing';
  return 'io_failed';
}
