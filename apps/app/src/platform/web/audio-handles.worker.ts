import wasmUrl from '@evan/opus/wasm/opus.wasm?url';
import { AudioFailure } from '@linnet/audio/failure';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import type { AudioStoreErrorCode } from '@linnet/sync';
import type { Answer } from './audio-files-api.ts';
import { type AudioFileKind, audioFolder, fileName } from './audio-folder.ts';

/** What the workers that touch audio files have in common. */

export type Handle = FileSystemSyncAccessHandle;

/** The folder of all that is one server's: the page names its workers after it. */
export const store = globalThis.name;

/** A file that comes with the app, such as a codec. */
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
 * Times that a file is asked for while somebody holds it, and milliseconds between them: 5 s in all. A page
 * that is read anew is there before the workers of the one it replaces have let go of theirs.
 */
const HELD = { tries: 50, pauseMs: 100 } as const;

/** Does to a file what nobody else may hold it for, as soon as that is so. */
async function whenLetGo<T>(run: () => Promise<T>): Promise<T> {
  for (let left: number = HELD.tries; ; left--) {
    try {
      return await run();
    } catch (error) {
      const isHeld = error instanceof DOMException && error.name === 'NoModificationAllowedError';
      if (!isHeld || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, HELD.pauseMs));
    }
  }
}

/** @param create whether a file that is not here is made */
export async function handleOf(id: string, kind: AudioFileKind, create: boolean): Promise<Handle> {
  const file = await (await openAudioFolder()).getFileHandle(fileName(id, kind), { create });
  return whenLetGo(() => file.createSyncAccessHandle());
}

/** Writes all of `bytes` at `at`; a short write means that there is no room. */
export function writeAll(handle: Handle, bytes: Uint8Array<ArrayBuffer>, at: number): void {
  const written = handle.write(bytes, { at });
  if (written < bytes.length) throw new DOMException('short write', 'QuotaExceededError');
}

/** Drops a file; gone already is what was asked for. */
export async function removeFile(id: string, kind: AudioFileKind): Promise<void> {
  try {
    const folder = await openAudioFolder();
    await whenLetGo(() => folder.removeEntry(fileName(id, kind)));
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'NotFoundError')) throw error;
  }
}

/** What came of `run`, as a value. @param codeOf for failures of its own */
export async function answer<T, Code extends string = never>(
  run: () => Promise<T>,
  codeOf: (error: unknown) => Code | null = () => null,
): Promise<Answer<T, Code>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, code: codeOf(error) ?? storeCodeOf(error), message: String(error) };
  }
}

function storeCodeOf(error: unknown): AudioStoreErrorCode {
  if (error instanceof AudioFailure) return 'not_audio';
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return 'storage_full';
  if (error instanceof DOMException && error.name === 'NotFoundError') return 'file_missing';
  return 'io_failed';
}
