import { CHUNK_BYTES, secondsOfPackets } from '@linnet/audio/format';
import { PacketMeter } from '@linnet/audio/peaks';
import { SessionFileMaker, type SessionPiece } from '@linnet/audio/session-file';
import { PacketUnpacker } from '@linnet/audio/unpack';
import type { FinishedAudio } from '@linnet/sync';
import { expose } from 'comlink';
import type { AudioFilesApi, GrowingKind } from './audio-files-api.ts';
import { fileName, filePath } from './audio-folder.ts';
import {
  answer,
  type Handle,
  loadCodec,
  openHandle,
  removeFile,
  store,
  writeAll,
} from './audio-handles.worker.ts';

/**
 * The worker that stores audio files. Only workers have synchronous handles, whose flush makes bytes durable;
 * decoding here also keeps the page responsive.
 */

/** Chunks per conversion step: 0.3 MB of packets, a few percent of an hour, so that progress is visible. */
const CHUNKS_PER_STEP = 200;

/** Open files by name. */
const open = new Map<string, Handle>();
/** The meter of the current recording. A measurement depends on preceding packets. */
let metering: { readonly id: string; readonly meter: PacketMeter } | null = null;

async function removeFinished(id: string): Promise<void> {
  for (const kind of ['ogg', 'wav'] as const) await removeFile(id, kind);
}

function close(id: string, kind: GrowingKind): void {
  const name = fileName(id, kind);
  open.get(name)?.close();
  open.delete(name);
}

/** Bytes of a download per read. */
const UNPACK_STEP = 256 * 1024;

/**
 * Extracts the packets of a download to a separate file. @throws AudioFailure if they are not a recorder's
 * packets
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
    let written = 0;
    for (let at = 0; at < size; ) {
      const read = download.read(buffer, { at });
      const bytes = unpacker.push(buffer.subarray(0, read));
      writeAll(packets, bytes, written);
      written += bytes.length;
      at += read;
    }
    unpacker.end();
    packets.flush();
  } finally {
    for (const handle of handles) handle.close();
  }
}

/** Converts the packets to the master and a WAV file in one pass. */
async function convertPackets(
  id: string,
  onProgress: (fraction: number) => void,
): Promise<FinishedAudio> {
  const codec = await loadCodec();
  const packets = await openHandle(id, 'packets', false);
  const handles = [packets];
  let isComplete = false;
  try {
    const master = await openHandle(id, 'ogg', true);
    handles.push(master);
    const wave = await openHandle(id, 'wav', true);
    handles.push(wave);
    master.truncate(0);
    wave.truncate(0);
    let masterAt = 0;
    let waveAt = 0;
    const write = (piece: SessionPiece) => {
      writeAll(master, piece.ogg, masterAt);
      writeAll(wave, piece.wave, waveAt);
      masterAt += piece.ogg.length;
      waveAt += piece.wave.length;
    };

    const size = packets.getSize();
    const maker = new SessionFileMaker(codec);
    write(maker.begin(size));
    const buffer = new Uint8Array(CHUNK_BYTES * CHUNKS_PER_STEP);
    for (let at = 0; at < size; ) {
      const read = packets.read(buffer, { at });
      write(maker.push(buffer.subarray(0, read)));
      at += read;
      onProgress(at / size);
    }
    const { facts, ...last } = maker.end();
    write(last);
    master.flush();
    wave.flush();
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
    // Removes partial files, which pages would play.
    if (!isComplete) await removeFinished(id);
  }
}

const api: AudioFilesApi = {
  open: (id: string, kind: GrowingKind, unitBytes: number) =>
    answer(async () => {
      close(id, kind);
      const handle = await openHandle(id, kind, true);
      open.set(fileName(id, kind), handle);
      const size = Math.floor(handle.getSize() / unitBytes) * unitBytes;
      handle.truncate(size);
      handle.flush();
      return size;
    }),
  append: (id: string, kind: GrowingKind, bytes: Uint8Array<ArrayBuffer>) =>
    answer(async () => {
      const handle = open.get(fileName(id, kind));
      if (!handle) throw new DOMException(`File ${id} is not open.`, 'InvalidStateError');
      const at = handle.getSize();
      try {
        writeAll(handle, bytes, at);
      } catch (error) {
        handle.truncate(at);
        throw error;
      }
      handle.flush();
      return at + bytes.length;
    }),
  close: (id: string, kind: GrowingKind) => answer(async () => close(id, kind)),
  discard: (id: string, kind: GrowingKind) =>
    answer(async () => {
      close(id, kind);
      await removeFile(id, kind);
    }),
  unpack: (id: string) => answer(() => unpack(id)),
  finish: (id: string, onProgress: (fraction: number) => void) =>
    answer(() => convertPackets(id, onProgress)),
  remove: (id: string) =>
    answer(async () => {
      for (const kind of ['packets', 'download'] as const) {
        close(id, kind);
        await removeFile(id, kind);
      }
      await removeFile(id, 'cleaner.ogg');
      await removeFinished(id);
    }),
  levels: (id: string, packets: Uint8Array<ArrayBuffer>) =>
    answer(async () => {
      const codec = await loadCodec();
      if (metering?.id !== id) {
        metering?.meter.free();
        metering = { id, meter: new PacketMeter(codec) };
      }
      return metering.meter.push(packets);
    }),
};

expose(api);
