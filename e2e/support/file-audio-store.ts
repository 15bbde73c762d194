import { type FileHandle, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AudioFailure } from '@linnet/audio/failure';
import { CHUNK_BYTES, secondsOfPackets } from '@linnet/audio/format';
import { detectAudioKind } from '@linnet/audio/kind';
import type { OpusModule } from '@linnet/audio/opus';
import { SessionFileBuilder, type SessionPiece } from '@linnet/audio/session-file';
import { PacketUnpacker } from '@linnet/audio/unpack';
import { type AudioStore, AudioStoreError, type DurableFile } from '@linnet/sync';

/** Chunks converted per step, as in the browser. */
const CHUNKS_PER_STEP = 200;

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function readBlob(path: string, type: string): Promise<Blob | null> {
  try {
    return new Blob([await readFile(path)], { type });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Opens an audio store in a folder, for tests in Node. It mirrors the browser's store, which uses the origin private
 * file system. It doesn't flush to the disk, because the tests kill processes but not the machine.
 */
export function openFileAudioStore(folder: string, opus: OpusModule): AudioStore {
  const path = (id: string, kind: 'packets' | 'download' | 'original' | 'ogg' | 'wav' | 'call') =>
    join(folder, `${id}.${kind}`);

  async function removeConverted(id: string): Promise<void> {
    for (const kind of ['ogg', 'wav'] as const) await rm(path(id, kind), { force: true });
  }

  async function openForAppending(file: string, unitBytes: number): Promise<DurableFile> {
    await (await open(file, 'a')).close();
    const { size } = await stat(file);
    let bytes = Math.floor(size / unitBytes) * unitBytes;
    await truncate(file, bytes);
    const handle = await open(file, 'a');
    return {
      get bytes() {
        return bytes;
      },
      async append(piece) {
        await handle.write(piece);
        bytes += piece.length;
      },
      close: () => handle.close(),
    };
  }

  return {
    openPackets: (id, chunkBytes) => openForAppending(path(id, 'packets'), chunkBytes),
    openDownload: (id) => openForAppending(path(id, 'download'), 1),
    download: (id) => readBlob(path(id, 'download'), 'application/octet-stream'),
    async unpack(id) {
      try {
        const unpacker = new PacketUnpacker();
        const packets = unpacker.push(await readFile(path(id, 'download')));
        unpacker.end();
        await writeFile(path(id, 'packets'), packets);
      } catch (cause) {
        if (cause instanceof AudioFailure) throw new AudioStoreError('not_audio', { cause });
        if (isMissing(cause)) throw new AudioStoreError('file_missing', { cause });
        throw cause;
      }
    },
    async readPackets(id, from, to) {
      const file = await readBlob(path(id, 'packets'), '');
      if (!file || file.size < to) return null;
      return new Uint8Array(await file.slice(from, to).arrayBuffer());
    },
    discardDownload: (id) => rm(path(id, 'download'), { force: true }),
    discardPackets: (id) => rm(path(id, 'packets'), { force: true }),
    async finish(id, onProgress = () => {}) {
      let packets: FileHandle;
      try {
        packets = await open(path(id, 'packets'), 'r');
      } catch (error) {
        if (isMissing(error)) throw new AudioStoreError('file_missing', { cause: error });
        throw error;
      }
      const [ogg, wav] = [await open(path(id, 'ogg'), 'w'), await open(path(id, 'wav'), 'w')];
      let isComplete = false;
      try {
        const { size } = await packets.stat();
        const maker = new SessionFileBuilder(opus);
        const write = async (piece: SessionPiece) => {
          await ogg.write(piece.ogg);
          await wav.write(piece.wave);
        };
        await write(maker.begin());
        const buffer = new Uint8Array(CHUNK_BYTES * CHUNKS_PER_STEP);
        for (let offset = 0; offset < size; ) {
          const { bytesRead } = await packets.read(buffer, 0, buffer.length, offset);
          await write(maker.push(buffer.subarray(0, bytesRead)));
          offset += bytesRead;
          onProgress(offset / size);
        }
        const { facts, waveHeader, ...last } = maker.end();
        await ogg.write(last.ogg);
        await wav.write(waveHeader, 0, waveHeader.length, 0);
        isComplete = true;
        return {
          sha256: facts.sha256,
          bytes: size,
          seconds: secondsOfPackets(size),
          peaks: facts.peaks,
          localfile: path(id, 'wav'),
        };
      } catch (cause) {
        if (cause instanceof AudioFailure) throw new AudioStoreError('not_audio', { cause });
        throw cause;
      } finally {
        for (const handle of [packets, ogg, wav]) await handle.close();
        if (!isComplete) await removeConverted(id);
      }
    },
    async master(id) {
      const original = await readBlob(path(id, 'original'), '');
      if (!original) return readBlob(path(id, 'ogg'), 'audio/ogg');
      const kind = detectAudioKind(new Uint8Array(await original.arrayBuffer()));
      return original.slice(0, original.size, kind?.mediaTypes[0]);
    },
    oggOpus: (id) => readBlob(path(id, 'ogg'), 'audio/ogg'),
    wave: (id) => readBlob(path(id, 'wav'), 'audio/wav'),
    async callLevels(id) {
      const levels = await readBlob(path(id, 'call'), '');
      return levels && new Uint8Array(await levels.arrayBuffer());
    },
    async remove(id) {
      for (const kind of ['packets', 'download', 'original', 'call'] as const)
        await rm(path(id, kind), { force: true });
      await removeConverted(id);
    },
  };
}
