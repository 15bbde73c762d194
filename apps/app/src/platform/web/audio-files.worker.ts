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
  handleOf,
  loadCodec,
  removeFile,
  store,
  writeAll,
} from './audio-handles.worker.ts';

/**
 * The worker that stores audio files. Only workers have synchronous handles, whose flush makes bytes durable;
 * decoding here also keeps the page responsive.
 */

/**
 * Chunks converted at once: 0.3 MB of packets, a few percent of an hour, so that progress advances visibly.
 */
const CHUNKS_A_STEP = 200;

/** Open files by name. */
const open = new Map<string, Handle>();
/** The recording being metered. A measurement depends on the packets before it. */
let metering: { readonly id: string; readonly meter: PacketMeter } | null = null;

async function removeMade(id: string): Promise<void> {
  for (const kind of ['ogg', 'wav'] as const) await removeFile(id, kind);
}

function close(id: string, kind: GrowingKind): void {
  const name = fileName(id, kind);
  open.get(name)?.close();
  open.delete(name);
}

/** Bytes of a download read at once. */
const UNPACK_STEP = 256 * 1024;

/**
 * Reads a download once and writes its packets beside it. @throws AudioFailure for packets that are not a
 * recorder's
 */
async function unpack(id: string): Promise<void> {
  close(id, 'download');
  close(id, 'packets');
  const download = await handleOf(id, 'download', false);
  const handles = [download];
  try {
    const packets = await handleOf(id, 'packets', true);
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

/** Reads the packets once and writes master and WAV beside them. */
async function makeFiles(
  id: string,
  onProgress: (fraction: number) => void,
): Promise<FinishedAudio> {
  const codec = await loadCodec();
  const packets = await handleOf(id, 'packets', false);
  const handles = [packets];
  let whole = false;
  try {
    const master = await handleOf(id, 'ogg', true);
    handles.push(master);
    const wave = await handleOf(id, 'wav', true);
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
    const buffer = new Uint8Array(CHUNK_BYTES * CHUNKS_A_STEP);
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
    whole = true;
    return {
      sha256: facts.sha256,
      bytes: size,
      seconds: secondsOfPackets(size),
      peaks: facts.peaks,
      localfile: filePath(store, id, 'wav'),
    };
  } finally {
    for (const handle of handles) handle.close();
    // A partial file would be played, and would occupy scarce space.
    if (!whole) await removeMade(id);
  }
}

const api: AudioFilesApi = {
  open: (id: string, kind: GrowingKind, unitBytes: number) =>
    answer(async () => {
      close(id, kind);
      const handle = await handleOf(id, kind, true);
      open.set(fileName(id, kind), handle);
      const whole = Math.floor(handle.getSize() / unitBytes) * unitBytes;
      handle.truncate(whole);
      handle.flush();
      return whole;
    }),
  append: (id: string, kind: GrowingKind, bytes: Uint8Array<ArrayBuffer>) =>
    answer(async () => {
      const handle = open.get(fileName(id, kind));
      if (!handle) throw new DOMException(`${id} is not open`, 'InvalidStateError');
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
    answer(() => makeFiles(id, onProgress)),
  remove: (id: string) =>
    answer(async () => {
      for (const kind of ['packets', 'download'] as const) {
        close(id, kind);
        await removeFile(id, kind);
      }
      await removeFile(id, 'cleaner.ogg');
      await removeMade(id);
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
