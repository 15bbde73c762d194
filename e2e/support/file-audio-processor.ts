import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PacketEncoder } from '@linnet/audio/convert';
import { AudioDigester } from '@linnet/audio/digest';
import { AudioFailure } from '@linnet/audio/failure';
import { SAMPLE_RATE, secondsOfPackets } from '@linnet/audio/format';
import { detectAudioKind, KIND_BYTES } from '@linnet/audio/kind';
import type { OpusModule } from '@linnet/audio/opus';
import { createSampleReader, MAX_SECONDS } from '@linnet/audio/samples';
import { PacketUnpacker } from '@linnet/audio/unpack';
import { type AudioProcessor, AudioStoreError } from '@linnet/sync';
import { decodeToWave } from './audio-kinds.ts';

/**
 * Opens the audio processor for a folder, for tests in Node. It reads WAV and Ogg Opus, the formats for which the
 * browser's audio processor doesn't need the browser's decoders, and MP3 with ffmpeg.
 */
export function openFileAudioProcessor(
  folder: string,
  opus: OpusModule,
): Pick<AudioProcessor, 'digest' | 'convert' | 'keepOriginal' | 'join' | 'list'> {
  return {
    async digest(file, onProgress, signal) {
      const digester = new AudioDigester();
      digester.push(new Uint8Array(await file.arrayBuffer()));
      signal.throwIfAborted();
      onProgress(1);
      return digester.end();
    },
    async convert(id, file, onProgress, signal) {
      const original = new Uint8Array(await file.arrayBuffer());
      const kind = detectAudioKind(original)?.id ?? null;
      const bytes = kind === 'mp3' ? decodeToWave(original) : original;
      const encoder = new PacketEncoder(opus);
      const packets: Uint8Array[] = [];
      try {
        const reader = createSampleReader(
          bytes.slice(0, KIND_BYTES),
          opus,
          MAX_SECONDS * SAMPLE_RATE,
        );
        for (const samples of [...reader.push(bytes), ...reader.end()]) {
          packets.push(encoder.push(samples));
        }
        packets.push(encoder.end());
        reader.free();
      } catch (cause) {
        if (cause instanceof AudioFailure) throw new AudioStoreError('not_audio', { cause });
        throw cause;
      } finally {
        encoder.free();
      }
      await writeFile(join(folder, `${id}.packets`), Buffer.concat(packets));
      onProgress(1);
      if (signal.aborted) await rm(join(folder, `${id}.packets`));
      signal.throwIfAborted();
      return { kind };
    },
    async keepOriginal(id, file, _isMaster, signal) {
      signal.throwIfAborted();
      await writeFile(join(folder, `${id}.original`), new Uint8Array(await file.arrayBuffer()));
    },
    async join(id, parts, onProgress, signal) {
      const packets: Uint8Array[] = [];
      const starts: number[] = [];
      for (const part of parts) {
        const unpacker = new PacketUnpacker();
        starts.push(secondsOfPackets(packets.reduce((sum, { length }) => sum + length, 0)));
        packets.push(unpacker.push(await readFile(join(folder, `${part}.ogg`))));
        unpacker.end();
      }
      signal.throwIfAborted();
      await writeFile(join(folder, `${id}.packets`), Buffer.concat(packets));
      onProgress(1);
      return starts;
    },
    async list() {
      const names = await readdir(folder);
      const packets = names.filter((name) => name.endsWith('.packets'));
      return { packets: packets.map((name) => name.slice(0, -'.packets'.length)), denoised: [] };
    },
  };
}
