import { AudioFailure } from '../failure.ts';

/** Size of the {@link waveHeader} in bytes: RIFF, a 16-byte `fmt ` chunk, and `data`. */
export const WAVE_HEADER_BYTES = 44;

/** Offset of the sample rate in that header (hertz, 32 bits, little-endian). */
export const WAVE_SAMPLE_RATE_OFFSET = 24;

const PCM_FORMAT = 1;

/** The contents of a 16-bit PCM WAV file. */
export type Wave = {
  readonly sampleRate: number;
  readonly channels: number;
  /** The samples, interleaved if there are several channels. */
  readonly samples: Int16Array;
};

function readFourCc(view: DataView, offset: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(offset + i)));
}

/** Returns the 44-byte header for `sampleCount` samples of 16-bit mono PCM at `sampleRate` Hz. */
export function waveHeader(sampleCount: number, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(WAVE_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  const text = (offset: number, letters: string) => {
    for (let i = 0; i < letters.length; i++) view.setUint8(offset + i, letters.charCodeAt(i));
  };
  const dataBytes = sampleCount * 2;
  text(0, 'RIFF');
  view.setUint32(4, WAVE_HEADER_BYTES - 8 + dataBytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM_FORMAT, true);
  view.setUint16(22, 1, true);
  view.setUint32(WAVE_SAMPLE_RATE_OFFSET, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, dataBytes, true);
  return bytes;
}

/** Returns a 16-bit mono PCM WAV file. */
export function writeWave(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(WAVE_HEADER_BYTES + samples.byteLength);
  bytes.set(waveHeader(samples.length, sampleRate));
  bytes.set(
    new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
    WAVE_HEADER_BYTES,
  );
  return bytes;
}

/**
 * Reads a 16-bit PCM WAV file. If the `data` chunk's length exceeds the file, as after an interrupted write, reads to
 * the end of the file.
 * @throws AudioFailure `not-wave`
 */
export function parseWave(bytes: Uint8Array): Wave {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || readFourCc(view, 0) !== 'RIFF' || readFourCc(view, 8) !== 'WAVE') {
    throw new AudioFailure('not-wave', 'no RIFF/WAVE header');
  }
  let format: { channels: number; sampleRate: number } | null = null;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const name = readFourCc(view, offset);
    const size = view.getUint32(offset + 4, true);
    const body = offset + 8;
    if (name === 'fmt ' && body + 16 <= bytes.length) {
      const bits = view.getUint16(body + 14, true);
      const channels = view.getUint16(body + 2, true);
      const sampleRate = view.getUint32(body + 4, true);
      if (bits !== 16 || channels < 1 || sampleRate < 1) {
        throw new AudioFailure('not-wave', `${bits} bits, ${channels} channels, ${sampleRate} Hz`);
      }
      format = { channels, sampleRate };
    }
    if (name === 'data') {
      if (!format) throw new AudioFailure('not-wave', 'data before fmt');
      const end = Math.min(body + size, bytes.length);
      const count = Math.floor((end - body) / 2);
      // Copy the data, because an Int16Array can't start at an odd offset.
      const samples = new Int16Array(new Uint8Array(bytes.subarray(body, body + count * 2)).buffer);
      return { ...format, samples };
    }
    // RIFF pads chunks to even sizes.
    offset = body + size + (size % 2);
  }
  throw new AudioFailure('not-wave', 'no data chunk');
}
