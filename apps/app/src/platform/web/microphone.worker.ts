/**
 * The worker that encodes and stores audio from the microphone and from calls. It receives the samples directly from
 * the audio worklet, so that a busy page can't interrupt a recording.
 */
import { CALL_FRAME_BYTES, CALL_FRAME_MS, CallMeter, mixCall } from '@linnet/audio/call';
import { PacketEncoder } from '@linnet/audio/convert';
import { CHUNK_BYTES, PACKET_BYTES, PACKET_MS, SAMPLE_RATE } from '@linnet/audio/format';
import { LevelMeter } from '@linnet/audio/peaks';
import { createMonoStream, type MonoStream } from '@linnet/audio/resample';
import type { CapturedAudio, MicrophoneErrorCode } from '@linnet/sync';
import { expose } from 'comlink';
import { type Handle, loadCodec, openHandle, writeAll } from './audio-handles.worker.ts';
import type { MicrophoneWorkerApi, RecordOutcome, WorkletOutput } from './microphone-api.ts';

/** A call's levels, which are stored in a separate file. */
class CallTrack {
  readonly #file: Handle;
  readonly #meter = new CallMeter();
  #size: number;
  #pending: Uint8Array<ArrayBuffer>[] = [];

  /**
   * @param file the file with the levels recorded so far. After a crash, it may cover more or less time than the
   * packets; missing levels count as silence.
   * @param packets number of packets recorded so far
   */
  constructor(file: Handle, packets: number) {
    this.#file = file;
    this.#size = Math.round((packets * PACKET_MS) / CALL_FRAME_MS) * CALL_FRAME_BYTES;
    file.truncate(this.#size);
  }

  push(microphone: Int16Array, others: Int16Array): void {
    this.#pending.push(this.#meter.push(microphone, others));
  }

  write(): void {
    for (const levels of this.#pending) {
      writeAll(this.#file, levels, this.#size);
      this.#size += levels.length;
    }
    this.#file.flush();
    this.#pending = [];
  }

  close(): void {
    this.#file.close();
  }
}

type RecordingFiles = {
  readonly packets: Handle;
  /** The levels; null unless the recording is a call. */
  readonly call: Handle | null;
};

class Recording {
  readonly #file: Handle;
  readonly #call: CallTrack | null;
  readonly #encoder: PacketEncoder;
  /** One resampler per input. */
  readonly #resamplers: readonly MonoStream[];
  readonly #meter = new LevelMeter();
  /** Calls the page. Returns a promise, because the page is in another thread. */
  readonly #onAudio: (audio: CapturedAudio) => void | Promise<void>;
  /** Settles once the page has received the last audio. */
  #reported: Promise<unknown> = Promise.resolve();
  #bytes: number;
  /** Packets that haven't been written yet, and the levels of their samples. */
  #packets: Uint8Array<ArrayBuffer>[] = [];
  #pendingBytes = 0;
  #levels: number[] = [];
  isPaused = false;

  constructor(
    { packets, call }: RecordingFiles,
    encoder: PacketEncoder,
    sampleRate: number,
    onAudio: (audio: CapturedAudio) => void | Promise<void>,
  ) {
    this.#file = packets;
    this.#encoder = encoder;
    this.#resamplers = Array.from({ length: call ? 2 : 1 }, () =>
      createMonoStream(1, sampleRate, SAMPLE_RATE),
    );
    this.#onAudio = onAudio;
    // A crash may have left an incomplete packet.
    const count = Math.floor(packets.getSize() / PACKET_BYTES);
    this.#bytes = count * PACKET_BYTES;
    packets.truncate(this.#bytes);
    this.#call = call && new CallTrack(call, count);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves once the page has received all audio. */
  async reported(): Promise<void> {
    await Promise.allSettled([this.#reported]);
  }

  /** @param inputs each input's samples */
  add(inputs: readonly Float32Array[]): void {
    if (this.isPaused) return;
    this.#encode((resampler, input) => resampler.push(toInt16(inputs[input] as Float32Array)));
    if (this.#pendingBytes >= CHUNK_BYTES) this.#write();
  }

  /** Writes everything still buffered and closes the file. */
  end(): void {
    try {
      this.#encode((resampler) => resampler.end());
      this.#append(this.#encoder.end());
      this.#write();
    } finally {
      this.close();
    }
  }

  close(): void {
    this.#encoder.free();
    this.#file.close();
    this.#call?.close();
  }

  /** @param resample returns an input's new samples */
  #encode(resample: (resampler: MonoStream, input: number) => Int16Array): void {
    const [microphone, others] = this.#resamplers.map(resample) as [Int16Array, Int16Array?];
    if (others) this.#call?.push(microphone, others);
    const samples = others ? mixCall(microphone, others) : microphone;
    this.#append(this.#encoder.push(samples));
    this.#levels.push(...this.#meter.push(samples));
  }

  #append(packets: Uint8Array<ArrayBuffer>): void {
    this.#packets.push(packets);
    this.#pendingBytes += packets.length;
  }

  /** Writes the pending packets to disk before reporting them. */
  #write(): void {
    let offset = this.#bytes;
    for (const packets of this.#packets) {
      writeAll(this.#file, packets, offset);
      offset += packets.length;
    }
    this.#file.flush();
    this.#call?.write();
    const levels = Uint8Array.from(this.#levels);
    const packets = concatenate(this.#packets, this.#pendingBytes);
    this.#bytes = offset;
    this.#packets = [];
    this.#pendingBytes = 0;
    this.#levels = [];
    this.#reported = Promise.resolve(this.#onAudio({ bytes: this.#bytes, packets, levels }));
  }
}

/** Joins pieces with a total of `size` bytes. */
function concatenate(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/** Converts samples from -1 to 1 to 16-bit integers. A loop is 20 times as fast as `Int16Array.from`. */
function toInt16(samples: Float32Array): Int16Array {
  const converted = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const sample = Math.round((samples[index] as number) * 32_768);
    converted[index] = Math.max(-32_768, Math.min(32_767, sample));
  }
  return converted;
}

function toErrorCode(error: unknown): MicrophoneErrorCode {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return isFull ? 'storage_full' : 'io_failed';
}

async function toOutcome<T>(run: () => Promise<T>): Promise<RecordOutcome<T>> {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, code: toErrorCode(error), message: String(error) };
  }
}

let recording: Recording | null = null;
const ended = Promise.withResolvers<void>();

const api: MicrophoneWorkerApi = {
  record: (recordingId, port, sampleRate, inputs, onAudio, onEnded) =>
    toOutcome(async () => {
      const encoder = new PacketEncoder(await loadCodec());
      const packets = await openHandle(recordingId, 'packets', true);
      const call = inputs > 1 ? await openHandle(recordingId, 'call', true) : null;
      const current = new Recording({ packets, call }, encoder, sampleRate, onAudio);
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
          onEnded(toErrorCode(error), String(error));
          ended.resolve();
        }
      };
      return current.bytes;
    }),
  async setPaused(paused) {
    if (recording) recording.isPaused = paused;
  },
  stop: () =>
    toOutcome(async () => {
      await ended.promise;
      const current = recording;
      recording = null;
      current?.end();
      await current?.reported();
      return current?.bytes ?? 0;
    }),
};

expose(api);
