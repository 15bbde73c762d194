/**
 * The worker that stores audio files. Only workers have synchronous file handles, which can flush bytes to disk. Audio
 * is decoded here too, so that the page stays responsive.
 */
import { CHUNK_BYTES, secondsOfPackets } from '@linnet/audio/format';
import { PacketMeter } from '@linnet/audio/peaks';
import { SessionFileMaker, type SessionPiece } from '@linnet/audio/session-file';
import { PacketUnpacker } from '@linnet/audio/unpack';
import type { AudioItem } from '@linnet/omi';
import { createPackers, type Packers } from '@linnet/omi/packer';
import type { FinishedAudio } from '@linnet/sync';
import { expose } from 'comlink';
import type { AudioFilesApi, GrowingKind } from './audio-files-api.ts';
import { fileName, filePath } from './audio-folder.ts';
import {
  FileAppender,
  type Handle,
  loadCodec,
  openHandle,
  removeFile,
  store,
  toResult,
  writeAll,
} from './audio-handles.worker.ts';

/** Number of chunks per conversion step: 0.3 MB. That is a few percent of an hour of audio, so progress is visible. */
const CHUNKS_PER_STEP = 200;

/** Converts the audio of an Omi; created when it's needed. */
let packers: Packers | null = null;

/** The open files, keyed by name. */
const openFiles = new Map<string, Handle>();
/**
 * The meter for the recording in progress. It is kept between calls, because a measurement depends on the preceding
 * packets.
 */
let currentMeter: { readonly id: string; readonly meter: PacketMeter } | null = null;

async function removeFinished(id: string): Promise<void> {
  for (const kind of ['ogg', 'wav'] as const) await removeFile(id, kind);
}

function close(id: string, kind: GrowingKind): void {
  const name = fileName(id, kind);
  openFiles.get(name)?.close();
  openFiles.delete(name);
}

/** Number of bytes of a download to read at a time. */
const UNPACK_STEP = 256 * 1024;

/**
 * Extracts a download's packets to a separate file.
 * @throws AudioFailure if the packets aren't in the recorders' format
 */
async function unpack(id: string): Promise<void> {
  close(id, 'download');
  close(id, 'packets');
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

/** Converts the packets in one pass to an Ogg file for uploading and a WAV file for playback. */
async function convertPackets(
  id: string,
  onProgress: (fraction: number) => void,
): Promise<FinishedAudio> {
  const codec = await loadCodec();
  const packets = await openHandle(id, 'packets', false);
  const handles = [packets];
  let isComplete = false;
  try {
    const ogg = await openHandle(id, 'ogg', true);
    handles.push(ogg);
    const wave = await openHandle(id, 'wav', true);
    handles.push(wave);
    const [oggAppender, waveAppender] = [new FileAppender(ogg), new FileAppender(wave)];
    const write = (piece: SessionPiece) => {
      oggAppender.append(piece.ogg);
      waveAppender.append(piece.wave);
    };

    const size = packets.getSize();
    const maker = new SessionFileMaker(codec);
    write(maker.begin(size));
    const buffer = new Uint8Array(CHUNK_BYTES * CHUNKS_PER_STEP);
    for (let offset = 0; offset < size; ) {
      const bytesRead = packets.read(buffer, { at: offset });
      write(maker.push(buffer.subarray(0, bytesRead)));
      offset += bytesRead;
      onProgress(offset / size);
    }
    const { facts, ...last } = maker.end();
    write(last);
    oggAppender.end();
    waveAppender.end();
    isComplete = true;
    return {
      sha256: facts.sha256,
      bytes: size,
      seconds: secondsOfPackets(size),
      peaks: facts.peaks,
      localfile: filePath(store, id, 'wav'),
    };
  } finally {
    for (const handle of handles) handle.close();
    // Remove partial files; otherwise, pages would play them.
    if (!isComplete) await removeFinished(id);
  }
}

const api: AudioFilesApi = {
  open: (id: string, kind: GrowingKind, unitBytes: number) =>
    toResult(async () => {
      close(id, kind);
      const handle = await openHandle(id, kind, true);
      openFiles.set(fileName(id, kind), handle);
      const size = Math.floor(handle.getSize() / unitBytes) * unitBytes;
      handle.truncate(size);
      handle.flush();
      return size;
    }),
  append: (id: string, kind: GrowingKind, bytes: Uint8Array<ArrayBuffer>) =>
    toResult(async () => {
      const handle = openFiles.get(fileName(id, kind));
      if (!handle) throw new DOMException(`File ${id} is not open.`, 'InvalidStateError');
      const size = handle.getSize();
      try {
        writeAll(handle, bytes, size);
      } catch (error) {
        handle.truncate(size);
        throw error;
      }
      handle.flush();
      return size + bytes.length;
    }),
  close: (id: string, kind: GrowingKind) => toResult(async () => close(id, kind)),
  discard: (id: string, kind: GrowingKind) =>
    toResult(async () => {
      close(id, kind);
      await removeFile(id, kind);
    }),
  unpack: (id: string) => toResult(() => unpack(id)),
  finish: (id: string, onProgress: (fraction: number) => void) =>
    toResult(() => convertPackets(id, onProgress)),
  remove: (id: string) =>
    toResult(async () => {
      for (const kind of ['packets', 'download'] as const) {
        close(id, kind);
        await removeFile(id, kind);
      }
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
