import { AudioFailure } from '../failure.ts';

/** The supported sample rates, in hertz. Rates outside this range would need huge filters or produce huge outputs. */
const RATES = { lowest: 4_000, highest: 384_000 };
const MAX_CHANNELS = 32;

/** Size of an extensible `fmt ` chunk through its format code, in bytes. */
const EXTENSIBLE_BYTES = 26;

/** Format codes of WAV files. */
const PCM = 1;
const FLOAT_FORMAT = 3;
const A_LAW = 6;
const MU_LAW = 7;
const EXTENSIBLE = 0xfffe;

/** A sample encoding: bytes per sample, and a function that reads a sample as a 16-bit value. */
type Encoding = { readonly bytes: number; read(view: DataView, offset: number): number };

export type PcmFormat = {
  readonly encoding: Encoding;
  readonly channels: number;
  /** In hertz. */
  readonly rate: number;
};

/** The chunk that describes the format of a file's samples. */
export type FormatChunk = {
  readonly id: string;
  /** Maximum number of bytes of its body that {@link read} needs. */
  readonly bytes: number;
  /** Reads the chunk's body. @throws AudioFailure `not-wave` for an unsupported format */
  read(body: Uint8Array): PcmFormat;
};

/** The format chunk of RIFF, RF64 and W64 files. */
export const waveFormat: FormatChunk = {
  id: 'fmt ',
  bytes: EXTENSIBLE_BYTES,
  read(body) {
    const fields = readWaveFields(body);
    if (!fields) throw new AudioFailure('not-wave', 'fmt is too short');
    const { code, bits, channels, rate } = fields;
    // Samples whose size isn't a whole number of bytes are stored in the upper bits.
    const storedBits = Math.ceil(bits / 8) * 8;
    return checkFormat(waveEncodings[`${code}/${storedBits}`], `${code}/${bits}`, channels, rate);
  },
};

/** Returns the fields of a `fmt ` chunk, or null if it's too short. */
export function readWaveFields(body: Uint8Array) {
  if (body.length < 16) return null;
  const view = toView(body);
  const tag = view.getUint16(0, true);
  const isExtended = tag === EXTENSIBLE && body.length >= EXTENSIBLE_BYTES;
  return {
    code: isExtended ? view.getUint16(24, true) : tag,
    channels: view.getUint16(2, true),
    rate: view.getUint32(4, true),
    bytesPerSecond: view.getUint32(8, true),
    bits: view.getUint16(14, true),
  };
}

/**
 * Size of the common chunk of AIFF and AIFF-C files in bytes: channels, frames, bits and rate. AIFF-C adds the
 * encoding.
 */
const AIFF_BYTES = 18;

/** The format chunk of AIFF and AIFF-C files (Audio Interchange File Format 1.3 and AIFF-C, Apple 1989 and 1991). */
export const aiffFormat: FormatChunk = {
  id: 'COMM',
  bytes: AIFF_BYTES + 4,
  read(body) {
    if (body.length < AIFF_BYTES) throw new AudioFailure('not-wave', 'COMM is too short');
    const view = toView(body);
    const type =
      body.length < AIFF_BYTES + 4 ? 'NONE' : String.fromCharCode(...body.subarray(AIFF_BYTES));
    const format = `${type.slice(0, 4)}/${Math.ceil(view.getUint16(6) / 8) * 8}`;
    return checkFormat(aiffEncodings[format], format, view.getUint16(0), extendedFloat(view, 8));
  },
};

/** Checks that a format is supported. @throws AudioFailure `not-wave` */
function checkFormat(
  encoding: Encoding | undefined,
  name: string,
  channels: number,
  rate: number,
): PcmFormat {
  const isRateSupported = rate >= RATES.lowest && rate <= RATES.highest;
  if (!encoding || channels < 1 || channels > MAX_CHANNELS || !isRateSupported) {
    throw new AudioFailure('not-wave', `format ${name}, ${channels} channels, ${rate} Hz`);
  }
  return { encoding, channels, rate };
}

const clampSample = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** Integers with this number of bytes. Only the upper 16 bits are read. */
const integers = (bytes: number, littleEndian: boolean): Encoding => ({
  bytes,
  read: (view, offset) => view.getInt16(littleEndian ? offset + bytes - 2 : offset, littleEndian),
});
const float32 = (littleEndian: boolean): Encoding => ({
  bytes: 4,
  read: (view, offset) => clampSample(view.getFloat32(offset, littleEndian) * 32_768),
});
const float64 = (littleEndian: boolean): Encoding => ({
  bytes: 8,
  read: (view, offset) => clampSample(view.getFloat64(offset, littleEndian) * 32_768),
});
const unsigned8: Encoding = {
  bytes: 1,
  read: (view, offset) => (view.getUint8(offset) - 128) << 8,
};
const signed8: Encoding = { bytes: 1, read: (view, offset) => view.getInt8(offset) << 8 };
const aLaw: Encoding = { bytes: 1, read: (view, offset) => expandALaw(view.getUint8(offset)) };
const muLaw: Encoding = { bytes: 1, read: (view, offset) => expandMuLaw(view.getUint8(offset)) };

type Encodings = Readonly<Record<string, Encoding>>;

/** WAV encodings, by format code and bits per sample. */
const waveEncodings: Encodings = {
  [`${PCM}/8`]: unsigned8,
  [`${PCM}/16`]: integers(2, true),
  [`${PCM}/24`]: integers(3, true),
  [`${PCM}/32`]: integers(4, true),
  [`${FLOAT_FORMAT}/32`]: float32(true),
  [`${FLOAT_FORMAT}/64`]: float64(true),
  [`${A_LAW}/8`]: aLaw,
  [`${MU_LAW}/8`]: muLaw,
};

const bigEndian = (type: string): Encodings => ({
  [`${type}/8`]: signed8,
  [`${type}/16`]: integers(2, false),
  [`${type}/24`]: integers(3, false),
  [`${type}/32`]: integers(4, false),
});

/** AIFF encodings, by compression type and bits per sample. G.711 occurs with both sizes. */
const aiffEncodings: Encodings = {
  ...bigEndian('NONE'),
  ...bigEndian('twos'),
  'in24/24': integers(3, false),
  'in32/32': integers(4, false),
  'sowt/8': signed8,
  'sowt/16': integers(2, true),
  'sowt/24': integers(3, true),
  'sowt/32': integers(4, true),
  'raw /8': unsigned8,
  'fl32/32': float32(false),
  'FL32/32': float32(false),
  'fl64/64': float64(false),
  'FL64/64': float64(false),
  'alaw/8': aLaw,
  'alaw/16': aLaw,
  'ALAW/8': aLaw,
  'ALAW/16': aLaw,
  'ulaw/8': muLaw,
  'ulaw/16': muLaw,
  'ULAW/8': muLaw,
  'ULAW/16': muLaw,
};

/**
 * Expands an A-law byte to 16 bits (ITU-T G.711, table 1). Its bits are sign, exponent (3) and mantissa (4), XORed with
 * 0x55.
 */
function expandALaw(byte: number): number {
  const bits = byte ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

/**
 * Expands a μ-law byte to 16 bits (ITU-T G.711, table 2). Its inverted bits are sign, exponent (3) and mantissa (4).
 */
function expandMuLaw(byte: number): number {
  const bits = ~byte;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
}

/** Reads a positive 80-bit float (IEEE 754 extended precision), ignoring the lowest 32 bits of its mantissa. */
function extendedFloat(view: DataView, offset: number): number {
  return view.getUint32(offset + 2) * 2 ** (view.getUint16(offset) - 16_383 - 31);
}

const toView = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
