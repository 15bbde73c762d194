/** Vector operations on embeddings of the same model, which have equal lengths. */

/** Returns the cosine similarity of two unit vectors: 1 for the same direction, 0 for unrelated vectors. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new RangeError('the vectors differ in length');
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}

/** Scales a vector to unit length. A zero vector is returned unchanged. */
export function toUnit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** Returns the mean direction of vectors, as a unit vector. @param vectors at least one */
export function meanVector(vectors: readonly Float32Array[]): Float32Array {
  const [first] = vectors;
  if (!first) throw new RangeError('there are no vectors');
  const sum = new Float32Array(first.length);
  for (const vector of vectors) {
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  }
  return toUnit(sum);
}

/** Encodes a vector as 32-bit floats in little-endian order. */
export function vectorToBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}

/** Decodes the output of {@link vectorToBytes}. */
export function vectorFromBytes(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) =>
    bytes.readFloatLE(index * 4),
  );
}
