import { AudioFailure } from '../failure.ts';
import { PACKET_SAMPLES, SAMPLE_RATE } from '../format.ts';
import { MAX_PACKET_BYTES } from '../ogg/index.ts';
import { instantiate, type LinearMemory } from '../web-assembly.ts';

/** libopus control requests (opus_defines.h). */
const OPUS_SET_BITRATE = 4002;
const OPUS_SET_VBR = 4006;
const OPUS_SET_COMPLEXITY = 4010;
const OPUS_SET_SIGNAL = 4024;
/**
 * The music hint. With the voice hint, libopus uses its speech coder, which preserves less at this rate: on real speech,
 * 29% of words were misrecognized instead of 21%, and encoding takes three times as long.
 */
const OPUS_SIGNAL_MUSIC = 3002;
/** Preserves the waveform; the telephony mode removes low frequencies. */
const OPUS_APPLICATION_AUDIO = 2049;

/**
 * Complexity out of 10 that a recorder's chip can afford. At this rate, it causes no audible loss, and encoding takes less
 * than half the time of the default 9.
 */
const COMPLEXITY = 5;

/** Bits per second for which a 20 ms packet has exactly 160 bytes at constant bit rate. */
const BITRATE = 64_000;

/** Maximum bytes of a packet passed to libopus. */
const PACKET_CAPACITY = MAX_PACKET_BYTES;

/** Samples of the longest Opus packet, 120 ms, at 48 kHz (RFC 6716, 2.1.4). */
const PCM_CAPACITY = 5_760;

/** Exports of libopus's WebAssembly build: C functions that share a linear memory. */
type LibopusExports = {
  readonly memory: LinearMemory;
  malloc(bytes: number): number;
  free(pointer: number): void;
  opus_encoder_get_size(channels: number): number;
  opus_encoder_init(encoder: number, rate: number, channels: number, application: number): number;
  opus_encoder_ctl_set(encoder: number, request: number, value: number): number;
  opus_encode(encoder: number, pcm: number, samples: number, out: number, capacity: number): number;
  opus_decoder_get_size(channels: number): number;
  opus_decoder_init(decoder: number, rate: number, channels: number): number;
  opus_decode(
    decoder: number,
    packet: number,
    bytes: number,
    pcm: number,
    samples: number,
    forwardErrorCorrection: number,
  ): number;
};

/** Encodes 20 ms of PCM into one packet. */
export type OpusEncoder = {
  /** @param pcm 320 samples, 16 kHz mono. @returns 160 bytes. @throws AudioFailure `opus-invalid` */
  encode(pcm: Int16Array): Uint8Array;
  free(): void;
};

/** Decodes packets to PCM and keeps state between packets. */
export type OpusDecoder = {
  /**
   * @param packet one Opus packet.
   * @returns the packet's samples, 16 kHz mono; a view that the next call overwrites.
   * @throws AudioFailure `opus-invalid`
   */
  decode(packet: Uint8Array): Int16Array;
  free(): void;
};

/** An instance of libopus. Its encoders and decoders share its memory. */
export type OpusModule = {
  createEncoder(): OpusEncoder;
  createDecoder(): OpusDecoder;
};

function checked(result: number, call: string): number {
  if (result < 0) throw new AudioFailure('opus-invalid', `${call} returned ${result}`);
  return result;
}

/**
 * Instantiates libopus.
 * @param wasm the bytes of `@evan/opus/wasm/opus.wasm`
 */
export async function loadOpus(wasm: Uint8Array<ArrayBuffer>): Promise<OpusModule> {
  const nothing = () => {};
  const lib = await instantiate<LibopusExports>(wasm, {
    // The build imports these functions, but the codec never calls them.
    wasi_snapshot_preview1: {
      fd_seek: nothing,
      fd_write: nothing,
      fd_close: nothing,
      proc_exit: nothing,
    },
    env: { emscripten_notify_memory_growth: nothing },
  });
  // Scratch space shared by all codecs of this instance: calls never interleave.
  const packetAt = lib.malloc(PACKET_CAPACITY);
  const pcmAt = lib.malloc(PCM_CAPACITY * 2);
  // Each call creates its own view, because memory growth detaches earlier ones.
  const bytes = () => new Uint8Array(lib.memory.buffer);
  const samples = (count: number) => new Int16Array(lib.memory.buffer, pcmAt, count);

  return {
    createEncoder() {
      const encoder = lib.malloc(lib.opus_encoder_get_size(1));
      checked(
        lib.opus_encoder_init(encoder, SAMPLE_RATE, 1, OPUS_APPLICATION_AUDIO),
        'opus_encoder_init',
      );
      for (const [request, value] of [
        [OPUS_SET_BITRATE, BITRATE],
        [OPUS_SET_VBR, 0],
        [OPUS_SET_COMPLEXITY, COMPLEXITY],
        [OPUS_SET_SIGNAL, OPUS_SIGNAL_MUSIC],
      ] as const) {
        checked(lib.opus_encoder_ctl_set(encoder, request, value), 'opus_encoder_ctl');
      }
      return {
        encode(pcm) {
          if (pcm.length !== PACKET_SAMPLES) {
            throw new AudioFailure('opus-invalid', `${pcm.length} samples instead of 320`);
          }
          samples(PACKET_SAMPLES).set(pcm);
          const size = checked(
            lib.opus_encode(encoder, pcmAt, PACKET_SAMPLES, packetAt, PACKET_CAPACITY),
            'opus_encode',
          );
          return bytes().slice(packetAt, packetAt + size);
        },
        free: () => lib.free(encoder),
      };
    },
    createDecoder() {
      const decoder = lib.malloc(lib.opus_decoder_get_size(1));
      checked(lib.opus_decoder_init(decoder, SAMPLE_RATE, 1), 'opus_decoder_init');
      return {
        decode(packet) {
          if (packet.length > PACKET_CAPACITY) {
            throw new AudioFailure('opus-invalid', `a packet of ${packet.length} bytes`);
          }
          bytes().set(packet, packetAt);
          const count = checked(
            lib.opus_decode(decoder, packetAt, packet.length, pcmAt, PCM_CAPACITY, 0),
            'opus_decode',
          );
          return samples(count);
        },
        free: () => lib.free(decoder),
      };
    },
  };
}
