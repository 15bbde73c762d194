/**
 * The worker that stores audio files. Only workers have synchronous file handles, which can flush bytes to disk. Audio
 * is decoded here too, so that the page stays responsive.
 */
import { CHUNK_BYTES } from '@linnet/audio/format';
import { PacketMeter } from '@linnet/audio/peaks';
import { PacketUnpacker } from '@linnet/audio/unpack';
import type { AudioItem } from '@linnet/omi';
import { createPackers, type Packers } from '@linnet/omi/packer';
import { type FinishedAudio, KEPT_FREE_BYTES } from '@linnet/sync';
import { expose } from 'comlink';
import type { AudioFilesApi, GrowingKind } from './audio-files-api.ts';
import { fileName } from './audio-folder.ts';
import {
  canRename,
  type Handle,
  loadCodec,
  openHandle,
  removeFile,
  toResult,
  writeAll,
} from './audio-handles.worker.ts';
import {
  removeFinished,
  removeIncomplete,
  SessionConversion,
} from './session-conversion.worker.ts';

/** Number of chunks per conversion step (0.3 MB). That is a few percent of an hour of audio, so progress is visible. */
const CHUNKS_PER_STEP = 200;

/** Converts an Omi's audio. Created on demand. */
let packers: Packers | null = null;

/** The open files, keyed by name. */
const openFiles = new Map<string, Handle>();
/**
 * The meter for the recording in progress. It is kept between calls, because a measurement depends on the preceding
 * packets.
 */
let currentMeter: { readonly id: string; readonly meter: PacketMeter } | null = null;

/** The conversion of the session being transferred. It advances with each chunk received. */
let currentConversion: SessionConversion | null = null;

async function close(id: string, kind: GrowingKind): Promise<void> {
  const name = fileName(id, kind);
  openFiles.get(name)?.close();
  openFiles.delete(name);
  if (kind === 'packets') await withConversion(id, (conversion) => conversion.suspend());
}

/** Returns a session's conversion and clears the current one, or returns null if the session has no conversion. */
function takeConversion(id: string): SessionConversion | null {
  if (currentConversion?.id !== id) return null;
  const runningConversion = currentConversion;
  currentConversion = null;
  return runningConversion;
}

async function dropConversion(id: string): Promise<void> {
  await takeConversion(id)?.discard();
}

/** Discards a session's conversion, and deletes incomplete files that an earlier page left behind. */
async function discardConversion(id: string): Promise<void> {
  await dropConversion(id);
  // If the browser can't rename files, incomplete files have the same names as finished ones and must not be deleted.
  if (canRename) await removeIncomplete(id);
}

/**
 * Calls `use` with a session's conversion, if it has one. If `use` throws, drops the conversion and ignores the error:
 * the packets are still there, so `finish` converts them from the start, and reports the failure if it persists.
 */
async function withConversion(
  id: string,
  use: (conversion: SessionConversion) => void,
): Promise<void> {
  if (currentConversion?.id !== id) return;
  try {
    use(currentConversion);
  } catch {
    await dropConversion(id);
  }
}

/** Converts the packets received so far, which leaves little work for the end of the session. */
async function convertReceived(id: string, packets: Handle, appended: number): Promise<void> {
  if (canRename && packets.getSize() === appended) await startConversion(id, packets);
  // Convert twice as much as was appended, to catch up, but at most one step, because a step blocks access to other
  // files.
  const chunks = Math.min(CHUNKS_PER_STEP, Math.ceil((2 * appended) / CHUNK_BYTES));
  await withConversion(id, (conversion) => conversion.advance(packets, chunks));
}

/**
 * Drops the previous session's conversion, and starts converting a new session if that leaves enough free space for
 * recordings.
 */
async function startConversion(id: string, packets: Handle): Promise<void> {
  if (currentConversion) await dropConversion(currentConversion.id);
  const { quota = 0, usage = 0 } = await navigator.storage.estimate();
  if (quota - usage < KEPT_FREE_BYTES) return;
  // Ignore errors, such as full storage. If they persist, `finish` reports them.
  const conversion = await SessionConversion.start(id).catch(() => null);
  const isStillOpen = openFiles.get(fileName(id, 'packets')) === packets;
  // Another session may have started in the meantime.
  if (isStillOpen && !currentConversion) currentConversion = conversion;
  else await conversion?.discard();
}

/** Number of bytes of a download to read at a time. */
const UNPACK_STEP = 256 * 1024;

/**
 * Extracts a download's packets to a separate file.
 * @throws AudioFailure if the packets aren't in the recorders' format
 */
async function unpack(id: string): Promise<void> {
  await close(id, 'download');
  await close(id, 'packets');
  await dropConversion(id);
  const download = await openHandle(id, 'download', false);
  const handles = [download];
  try {
    const packets = await openHandle(id, 'packets', true);
    handles.push(packets);
    packets.truncate(0);
    const unpacker = new PacketUnpacker();
    const buffer = new Uint8Array(UNPACK_STEP);
    const size = download.getSize();
    let writeOffset = 0;
    for (let readOffset = 0; readOffset < size; ) {
      const bytesRead = download.read(buffer, { at: readOffset });
      const bytes = unpacker.push(buffer.subarray(0, bytesRead));
      writeAll(packets, bytes, writeOffset);
      writeOffset += bytes.length;
      readOffset += bytesRead;
    }
    unpacker.end();
    packets.flush();
  } finally {
    for (const handle of handles) handle.close();
  }
}

/** Converts the packets that weren't converted during the transfer. */
async function convertPackets(
  id: string,
  onProgress: (fraction: number) => void,
): Promise<FinishedAudio> {
  const packets = await openHandle(id, 'packets', false);
  let conversion: SessionConversion | null = null;
  let isComplete = false;
  try {
    const size = packets.getSize();
    conversion = (await resumeConversion(id, size)) ?? (await SessionConversion.start(id));
    do {
      conversion.advance(packets, CHUNKS_PER_STEP);
      onProgress(size === 0 ? 1 : conversion.bytes / size);
    } while (conversion.bytes < size);
    const finished = await conversion.finish();
    isComplete = true;
    return finished;
  } catch (error) {
    // Change the error's name, because `NotFoundError` would mean that the packets are missing.
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      throw new DOMException(error.message, 'InvalidStateError');
    }
    throw error;
  } finally {
    packets.close();
    if (!isComplete) {
      await conversion?.discard();
      // Also remove the files of a previous conversion; otherwise, the app would play them.
      await removeFinished(id);
    }
  }
}

/** Returns a session's conversion if it can continue with packets of the given size in bytes, or null. */
async function resumeConversion(id: string, size: number): Promise<SessionConversion | null> {
  const conversion = takeConversion(id);
  if (!conversion) return null;
  if (conversion.bytes <= size && (await conversion.resume().catch(() => false))) return conversion;
  await conversion.discard();
  return null;
}

/** Appends bytes to a file of the given size, and flushes them to disk. If that fails, the file keeps its size. */
function appendAt(handle: Handle, bytes: Uint8Array<ArrayBuffer>, size: number): void {
  try {
    writeAll(handle, bytes, size);
  } catch (error) {
    handle.truncate(size);
    throw error;
  }
  handle.flush();
}

const api: AudioFilesApi = {
  open: (id: string, kind: GrowingKind, unitBytes: number) =>
    toResult(async () => {
      await close(id, kind);
      const handle = await openHandle(id, kind, true);
      openFiles.set(fileName(id, kind), handle);
      const size = Math.floor(handle.getSize() / unitBytes) * unitBytes;
      handle.truncate(size);
      handle.flush();
      if (kind === 'packets') {
        const resumed = await resumeConversion(id, size);
        // Another session may have started in the meantime.
        if (currentConversion) await resumed?.discard();
        else currentConversion = resumed;
      }
      return size;
    }),
  append: (id: string, kind: GrowingKind, bytes: Uint8Array<ArrayBuffer>) =>
    toResult(async () => {
      const handle = openFiles.get(fileName(id, kind));
      if (!handle) throw new DOMException(`File ${id} is not open.`, 'InvalidStateError');
      const size = handle.getSize();
      try {
        appendAt(handle, bytes, size);
      } catch (error) {
        // The files of a conversion may occupy the space that the bytes need.
        if (!currentConversion) throw error;
        await dropConversion(currentConversion.id);
        appendAt(handle, bytes, size);
      }
      if (kind === 'packets') await convertReceived(id, handle, bytes.length);
      return size + bytes.length;
    }),
  close: (id: string, kind: GrowingKind) => toResult(() => close(id, kind)),
  discard: (id: string, kind: GrowingKind) =>
    toResult(async () => {
      await close(id, kind);
      if (kind === 'packets') await discardConversion(id);
      await removeFile(id, kind);
    }),
  unpack: (id: string) => toResult(() => unpack(id)),
  finish: (id: string, onProgress: (fraction: number) => void) =>
    toResult(() => convertPackets(id, onProgress)),
  remove: (id: string) =>
    toResult(async () => {
      for (const kind of ['packets', 'download'] as const) {
        await close(id, kind);
        await removeFile(id, kind);
      }
      await discardConversion(id);
      for (const kind of ['original', 'foreign', 'cleaner.ogg', 'call'] as const) {
        await removeFile(id, kind);
      }
      await removeFinished(id);
    }),
  pack: (id: string, codec: number, items: readonly AudioItem[], isLast: boolean) =>
    toResult(async () => {
      const opus = await loadCodec();
      packers ??= createPackers(opus);
      return packers.pack(id, codec, items, isLast);
    }),
  levels: (id: string, packets: Uint8Array<ArrayBuffer>) =>
    toResult(async () => {
      const codec = await loadCodec();
      if (currentMeter?.id !== id) {
        currentMeter?.meter.free();
        currentMeter = { id, meter: new PacketMeter(codec) };
      }
      return currentMeter.meter.push(packets);
    }),
};

expose(api);
