/**
 * The worker that encodes and stores the microphone's audio. It receives the samples directly from the audio worklet, so
 * that a busy page cannot interrupt a recording.
 */
import { PacketEncoder } from '@linnet/audio/convert';
import { CHUNK_BYTES, PACKET_BYTES, SAMPLE_RATE } from '@linnet/audio/format';
import { LevelMeter } from '@linnet/audio/peaks';
import { createMonoStream, type MonoStream } from '@linnet/audio/resample';
import type { CapturedAudio, MicrophoneErrorCode } from '@linnet/sync';
import { expose } from 'comlink';
import { type Handle, loadCodec, openHandle, writeAll } from './audio-handles.worker.ts';
import type { MicrophoneWorkerApi, RecordOutcome, WorkletOutput } from './microphone-api.ts';

class Recording {
  readonly #file: Handle;
  readonly #encoder: PacketEncoder;
  readonly #resampler: MonoStream;
  readonly #meter = new LevelMeter();
  readonly #onAudio: (audio: CapturedAudio) => void;
  #bytes: number;
  /** Packets that are not written yet, and the levels of the samples in them. */
  #packets: Uint8Array<ArrayBuffer>[] = [];
  #pendingBytes = 0;
  #levels: number[] = [];
  isPaused = false;

  constructor(
    file: Handle,
    encoder: PacketEncoder,
    sampleRate: number,
    onAudio: (audio: CapturedAudio) => void,
  ) {
    this.#file = file;
    this.#encoder = encoder;
    this.#resampler = createMonoStream(1, sampleRate, SAMPLE_RATE);
    this.#onAudio = onAudio;
    // A crash may have left an incomplete packet.
    this.#bytes = Math.floor(file.getSize() / PACKET_BYTES) * PACKET_BYTES;
    file.truncate(this.#bytes);
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(samples: Float32Array): void {
    if (this.isPaused) return;
    this.#encode(this.#resampler.push(toInt16(samples)));
    if (this.#pendingBytes >= CHUNK_BYTES) this.#write();
  }

  /** Writes everything that is buffered, and closes the file. */
  end(): void {
    try {
      this.#encode(this.#resampler.end());
      this.#append(this.#encoder.end());
      this.#write();
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#encoder.free();
    this.#file.close();
  }

  #encode(samples: Int16Array): void {
    this.#append(this.#encoder.push(samples));
    this.#levels.push(...this.#meter.push(samples));
  }

  #append(packets: Uint8Array<ArrayBuffer>): void {
    this.#packets.push(packets);
    this.#pendingBytes += packets.length;
  }

  /** Makes the pending packets durable before it reports them. */
  #write(): void {
    let at = this.#bytes;
    for (const packets of this.#packets) {
      writeAll(this.#file, packets, at);
      at += packets.length;
    }
    this.#file.flush();
    const levels = Uint8Array.from(this.#levels);
    this.#bytes = at;
    this.#packets = [];
    this.#pendingBytes = 0;
    this.#levels = [];
    this.#onAudio({ bytes: this.#bytes, levels });
  }
}

function toInt16(samples: Float32Array): Int16Array {
  return Int16Array.from(samples, (sample) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768))),
  );
}

function codeOf(error: unknown): MicrophoneErrorCode {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return isFull ? 'storage_full' : 'io_failed';
}

async function outcomeOf<T>(run: () => Promise<T>): Promise<RecordOutcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, code: codeOf(error), message: String(error) };
  }
}

let recording: Recording | null = null;
const ended = Promise.withResolvers<void>();

const api: MicrophoneWorkerApi = {
  record: (recordingId, port, sampleRate, onAudio, onEnded) =>
    outcomeOf(async () => {
      const encoder = new PacketEncoder(await loadCodec());
      const file = await openHandle(recordingId, 'packets', true);
      const current = new Recording(file, encoder, sampleRate, onAudio);
      recording = current;
      port.onmessage = ({ data }: MessageEvent<WorkletOutput>) => {
        if (recording !== current) return;
        try {
          if (data !== 'end') return current.add(data);
          port.close();
          ended.resolve();
        } catch (error) {
          recording = null;
          current.close();
          onEnded(codeOf(error), String(error));
          ended.resolve();
        }
      };
      return current.bytes;
    }),
  async setPaused(paused) {
    if (recording) recording.isPaused = paused;
  },
  stop: () =>
    outcomeOf(async () => {
      await ended.promise;
      const current = recording;
      recording = null;
      current?.end();
      return current?.bytes ?? 0;
    }),
};

expose(api);
