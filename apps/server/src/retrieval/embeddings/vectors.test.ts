import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clustered } from '../../../test/vectors.ts';
import { toUnit } from '../../providers/speakers/vectors.ts';
import { scanBits } from './scan.ts';
import {
  dotPacked,
  packSigns,
  packVector,
  vectorBytes,
  wordsFromBytes,
  wordsToBytes,
} from './vectors.ts';

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
const number = fc.float({ min: -1, max: 1, noNaN: true });
/** Two unit vectors of the same length. */
const pairs = fc
  .integer({ min: 1, max: 400 })
  .chain((length) => {
    const vector = fc.array(number, { minLength: length, maxLength: length });
    return fc.tuple(vector, vector);
  })
  .map(([a, b]) => [toUnit(Float32Array.from(a)), toUnit(Float32Array.from(b))] as const);

describe('a packed vector', () => {
  it('has almost the same dot product', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const packed = packVector(b);
        expect(packed).toHaveLength(vectorBytes(b.length));
        const sum = a.reduce((total, value) => total + Math.abs(value), 0);
        const bound = (packed.readFloatLE() / 2) * sum + 1e-5;
        expect(Math.abs(dotPacked(a, packed) - dot(a, b))).toBeLessThanOrEqual(bound);
      }),
    );
  });

  it('has an error below 0.01 with 384 dimensions', () => {
    const vectors = clustered({ count: 200, dimensions: 384, clusters: 10 });
    for (const [index, vector] of vectors.entries()) {
      const other = vectors[(index * 7 + 1) % vectors.length] ?? vector;
      expect(Math.abs(dotPacked(vector, packVector(other)) - dot(vector, other))).toBeLessThan(
        0.01,
      );
    }
  });

  it('rejects vectors of a different length', () => {
    expect(() => dotPacked(new Float32Array(3), packVector(new Float32Array(4)))).toThrow(
      RangeError,
    );
  });
});

describe('the sign bits of a vector', () => {
  it('use one bit per dimension and survive a round trip through bytes', () => {
    fc.assert(
      fc.property(pairs, ([vector]) => {
        const words = packSigns(vector);
        expect(words).toHaveLength(Math.ceil(vector.length / 32));
        for (const [index, value] of vector.entries()) {
          const bit = ((words[index >>> 5] ?? 0) >>> (index & 31)) & 1;
          expect(bit).toBe(value > 0 ? 1 : 0);
        }
        expect(wordsFromBytes(wordsToBytes(words))).toEqual(words);
      }),
    );
  });
});

describe('a scan of sign bits', () => {
  /** Splits vectors into chunks of different sizes, one of them empty. */
  function createChunks(vectors: readonly Float32Array[]) {
    const chunks = [{ name: 'empty', first: 0, count: 0, bits: new Uint32Array(0) }];
    for (let at = 0; at < vectors.length; ) {
      const part = vectors.slice(at, at + 1 + (at % 70));
      const words = part.map(packSigns);
      const bits = new Uint32Array(words.flatMap((word) => [...word]));
      chunks.push({ name: String(at), first: at, count: part.length, bits });
      at += part.length;
    }
    return chunks;
  }

  it('finds the same vectors as a comparison of all sign bits', async () => {
    const vectors = clustered({ count: 2000, dimensions: 100, clusters: 5 });
    const question = vectors[77] as Float32Array;
    const signs = packSigns(question);
    const distance = (vector: Float32Array) =>
      vector.reduce(
        (sum, value, index) => sum + Number(value > 0 !== (question[index] ?? 0) > 0),
        0,
      );
    const { nearest, sample } = await scanBits(createChunks(vectors), signs, {
      nearest: 50,
      sample: 30,
    });
    const found = nearest.map(({ chunk, position }) => chunk.first + position);
    const all = vectors.map(distance).sort((a, b) => a - b);
    expect(found[0]).toBe(77);
    expect(found.map((index) => distance(vectors[index] as Float32Array))).toEqual(
      all.slice(0, 50),
    );
    const sampled = sample.map(({ chunk, position }) => chunk.first + position);
    expect(sampled).toHaveLength(30);
    expect(new Set(sampled).size).toBe(30);
    expect(sampled.at(-1)).toBeGreaterThan(1900);
  });

  it.each([
    ['without a common direction', 0],
    ['that all point in a similar direction, like those of some models', 1.5],
  ])('keeps the nearest of clustered vectors %s', async (_name, offset) => {
    const vectors = clustered({ count: 8000, dimensions: 384, clusters: 200, offset });
    const chunks = createChunks(vectors);
    let foundCount = 0;
    for (let question = 0; question < 20; question += 1) {
      const vector = vectors[question * 301] as Float32Array;
      const { nearest } = await scanBits(chunks, packSigns(vector), { nearest: 150, sample: 0 });
      const found = new Set(nearest.map(({ chunk, position }) => chunk.first + position));
      const exact = vectors
        .map((other, index) => ({ index, similarity: dot(vector, other) }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 10);
      foundCount += exact.filter(({ index }) => found.has(index)).length;
    }
    expect(foundCount / 200).toBeGreaterThan(0.95);
  });

  it('finds nothing without vectors', async () => {
    const { nearest, sample } = await scanBits([], packSigns(new Float32Array(8)), {
      ...{ nearest: 5, sample: 5 },
    });
    expect([nearest, sample]).toEqual([[], []]);
  });
});
