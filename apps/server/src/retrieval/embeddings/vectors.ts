/**
 * Packs unit vectors for storage in two forms. Binary quantization (sign bits, one per dimension) is enough to rule out
 * most of the distant vectors. Scalar quantization (eight bits per dimension) is used for exact comparison.
 */

const largest = 127;
/** Size in bytes of the scale before a vector's values. */
const scaleBytes = 4;

/** Returns the size of a packed vector in bytes. */
export const vectorBytes = (dimensions: number) => scaleBytes + dimensions;
/** Returns the number of 32-bit words for a vector's sign bits. */
const bitWords = (dimensions: number) => Math.ceil(dimensions / 32);

/**
 * Packs a vector: its scale as a 32-bit float, then each value in units of the scale. Quantization changes the dot
 * product with another vector by at most half the scale times the sum of the other vector's absolute values.
 */
export function packVector(vector: Float32Array): Buffer {
  let extreme = 0;
  for (const value of vector) extreme = Math.max(extreme, Math.abs(value));
  const scale = Math.fround(extreme / largest);
  const bytes = Buffer.alloc(vectorBytes(vector.length));
  bytes.writeFloatLE(scale);
  for (const [index, value] of vector.entries()) {
    const units = scale === 0 ? 0 : Math.round(value / scale);
    bytes.writeInt8(Math.max(-largest, Math.min(largest, units)), scaleBytes + index);
  }
  return bytes;
}

/** Returns the dot product of a vector and a packed vector of the same length. */
export function dotPacked(vector: Float32Array, packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (view.byteLength !== vectorBytes(vector.length)) throw new RangeError('lengths differ');
  let sum = 0;
  for (let index = 0; index < vector.length; index += 1) {
    sum += (vector[index] as number) * view.getInt8(scaleBytes + index);
  }
  return sum * view.getFloat32(0, true);
}

/** Returns the sign bits of a vector in 32-bit words. */
export function packSigns(vector: Float32Array): Uint32Array {
  const words = new Uint32Array(bitWords(vector.length));
  for (const [index, value] of vector.entries()) {
    if (value > 0) words[index >>> 5] = (words[index >>> 5] as number) | (1 << (index & 31));
  }
  return words;
}

/** Encodes 32-bit words in little-endian order. */
export function wordsToBytes(words: Uint32Array): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4);
  return bytes;
}

/** Decodes the output of {@link wordsToBytes}. */
export function wordsFromBytes(bytes: Buffer): Uint32Array {
  const words = new Uint32Array(bytes.length / 4);
  for (let index = 0; index < words.length; index += 1)
    words[index] = bytes.readUInt32LE(index * 4);
  return words;
}
