import wasmUrl from '@evan/opus/wasm/opus.wasm?url';
import { AudioFailure } from '@linnet/audio/failure';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Answer } from './audio-files-api.ts';
import { type AudioFileKind, audioFolder, fileName } from './audio-folder.ts';

/** File access shared by the audio workers. */

export type Handle = FileSystemSyncAccessHandle;

/** The server's folder; the page passes it as the worker's name. */
export const store = globalThis.name;

/** Loads a file bundled with the app, such as a codec. */
export async function fetchBytes(url: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await fetch(url)).arrayBuffer());
}

let opus: Promise<OpusModule> | null = null;

export function loadCodec(): Promise<OpusModule> {
  opus ??= fetchBytes(wasmUrl).then(loadOpus);
  return opus;
}

export async function openAudioFolder(): Promise<FileSystemDirectoryHandle> {
  let directory = await navigator.storage.getDirectory();
  for (const name of audioFolder(store)) {
    directory = await directory.getDirectoryHandle(name, { create: true });
  }
  return directory;
}

/**
 * Attempts and delay in milliseconds for a locked file: 5 s in total. After a reload, the workers of the previous
 * page may still hold their files.
 */
const LOCK_RETRY = { tries: 50, pauseMs: 100 } as const;

/** Retries until the file's exclusive lock is free. */
async function whenUnlocked<T>(run: () => Promise<T>): Promise<T> {
  for (let left: number = LOCK_RETRY.tries; ; left--) {
    try {
      return await run();
    } catch (error) {
      const isLocked = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isLocked || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY.pauseMs));
    }
  }
}

/** Opens the exclusive handle of a file. @param create whether to create a missing file */
export async function openHandle(
  id: string,
  kind: AudioFileKind,
  create: boolean,
): Promise<Handle> {
  const file = await (await openAudioFolder()).getFileHandle(fileName(id, kind), { create });
  return whenUnlocked(() => file.createSyncAccessHandle());
}

/** Writes bytes at an offset. A short write means that the storage is full. */
export function writeAll(handle: Handle, bytes: Uint8Array<ArrayBuffer>, at: number): void {
  const written = handle.write(bytes, { at });
  if (written < bytes.length)
    throw new DOMException('The write was incomplete.', 'QuotaExceededError');
}

/** Removes a file; a missing file counts as removed. */
export async function removeFile(id: string, kind: AudioFileKind): Promise<void> {
  try {
    const folder = await openAudioFolder();
    await whenUnlocked(() => folder.removeEntry(fileName(id, kind)));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
  }
}

/** Converts the outcome of `run` to a value. @param codeOf maps errors to codes */
export async function answer<T, Code extends string = never>(
  run: () => Promise<T>,
  codeOf: (error: unknown) => Code | null = () => null,
): Promise<Answer<T, Code>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, code: codeOf(error) ?? storeErrorCode(error), message: String(error) };
  }
}

function storeErrorCode(error: unknown): AudioStoreErrorCode {
  if (error instanceof AudioFailure) return 'not_audio';
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'storage_full';
  if (error instanceof DOMException && error.name === 'NotFoundError') return 'file_missing';
  return 'io_failed';
}
