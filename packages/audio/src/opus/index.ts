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
 * The music hint. The voice hint makes libopus use its speech coder, which preserves less detail at this bit rate: on
 * real speech, 29% of words were misrecognized instead of 21%, and encoding took three times as long.
 */
const OPUS_SIGNAL_MUSIC = 3002;
/** Preserves the waveform. The telephony mode removes low frequencies. */
const OPUS_APPLICATION_AUDIO = 2049;

/**
 * The encoder's complexity, from 0 to 10. A recorder's chip can afford 5. At this bit rate there's no audible loss, and
 * encoding takes less than half the time it takes at the default of 9.
 */
const COMPLEXITY = 5;

/** Bit rate in bits per second. A 20 ms packet then has exactly 160 bytes. */
const BITRATE = 64_000;

/** Size of the packet buffer passed to libopus, in bytes. */
const PACKET_CAPACITY = MAX_PACKET_BYTES;

/** Samples in the longest Opus packet: 120 ms at 48 kHz (RFC 6716, 2.1.4). */
const PCM_CAPACITY = 5_760;

/** The exports of the WebAssembly build of libopus: C functions that share a linear memory. */
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

/** Decodes packets to PCM. It's stateful, so pass all packets of a stream, in order. */
export type OpusDecoder = {
  /**
   * Decodes one Opus packet.
   * @returns the packet's samples, 16 kHz mono, as a view that the next call overwrites
   * @throws AudioFailure `opus-invalid`
   */
  decode(packet: Uint8Array): Int16Array;
  free(): void;
};

/** A libopus instance. Its encoders and decoders share one memory. */
export type OpusModule = {
  createEncoder(): OpusEncoder;
  createDecoder(): OpusDecoder;
};

function checkResult(result: number, call: string): number {
  if (result < 0) throw new AudioFailure('opus-invalid', `${call} returned ${result}`);
  return result;
}

/**
 * Instantiates libopus.
 * @param wasm the bytes of `@evan/opus/wasm/opus.wasm`
 */
export async function loadOpus(wasm: Uint8Array<ArrayBuffer>): Promise<OpusModule> {
  const noop = () => {};
  const lib = await instantiate<LibopusExports>(wasm, {
    // The build imports these functions, but the codec never calls them.
    wasi_snapshot_preview1: {
      fd_seek: noop,
      fd_write: noop,
      fd_close: noop,
      proc_exit: noop,
    },
    env: { emscripten_notify_memory_growth: noop },
  });
  // All codecs of this instance share these scratch buffers, because calls are synchronous and can't interleave.
  const packetPointer = lib.malloc(PACKET_CAPACITY);
  const pcmPointer = lib.malloc(PCM_CAPACITY * 2);
  // Create a new view for each call, because growing the memory detaches existing views.
  const bytes = () => new Uint8Array(lib.memory.buffer);
  const samples = (count: number) => new Int16Array(lib.memory.buffer, pcmPointer, count);

  return {
    createEncoder() {
      const encoder = lib.malloc(lib.opus_encoder_get_size(1));
      checkResult(
        lib.opus_encoder_init(encoder, SAMPLE_RATE, 1, OPUS_APPLICATION_AUDIO),
        'opus_encoder_init',
      );
      for (const [request, value] of [
        [OPUS_SET_BITRATE, BITRATE],
        [OPUS_SET_VBR, 0],
        [OPUS_SET_COMPLEXITY, COMPLEXITY],
        [OPUS_SET_SIGNAL, OPUS_SIGNAL_MUSIC],
      ] as const) {
        checkResult(lib.opus_encoder_ctl_set(encoder, request, value), 'opus_encoder_ctl');
      }
      return {
        encode(pcm) {
          if (pcm.length !== PACKET_SAMPLES) {
            throw new AudioFailure('opus-invalid', `${pcm.length} samples instead of 320`);
          }
          samples(PACKET_SAMPLES).set(pcm);
          const size = checkResult(
            lib.opus_encode(encoder, pcmPointer, PACKET_SAMPLES, packetPointer, PACKET_CAPACITY),
            'opus_encode',
          );
          return bytes().slice(packetPointer, packetPointer + size);
        },
        free: () => lib.free(encoder),
      };
    },
    createDecoder() {
      const decoder = lib.malloc(lib.opus_decoder_get_size(1));
      checkResult(lib.opus_decoder_init(decoder, SAMPLE_RATE, 1), 'opus_decoder_init');
      return {
        decode(packet) {
          if (packet.length > PACKET_CAPACITY) {
            throw new AudioFailure('opus-invalid', `a packet of ${packet.length} bytes`);
          }
          bytes().set(packet, packetPointer);
          const count = checkResult(
            lib.opus_decode(decoder, packetPointer, packet.length, pcmPointer, PCM_CAPACITY, 0),
            'opus_decode',
          );
          return samples(count);
        },
        free: () => lib.free(decoder),
      };
    },
  };
}
