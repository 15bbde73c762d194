import { setImmediate } from 'node:timers/promises';

/** The sign bits of a recording's vectors. */
export interface BitChunk {
  /** Number of vectors. */
  readonly count: number;
  /** The sign bits, with the same number of 32-bit words for each vector. */
  readonly bits: Uint32Array;
}

/** A vector, by its position in a chunk. */
export interface Place<Chunk extends BitChunk> {
  readonly chunk: Chunk;
  readonly position: number;
}

export interface ScanResult<Chunk extends BitChunk> {
  /** The vectors whose sign bits have the smallest Hamming distance to the question's. */
  readonly nearest: readonly Place<Chunk>[];
  /** Vectors at regular intervals, regardless of their distance. */
  readonly sample: readonly Place<Chunk>[];
}

/** Number of vectors (about a millisecond of work) to scan before yielding to the event loop. */
const sliceVectors = 30_000;

/**
 * Finds the vectors whose sign bits have the smallest Hamming distance to a question's.
 * @param limits the maximum numbers of nearest and of sampled vectors
 */
export async function scanBits<Chunk extends BitChunk>(
  chunks: readonly Chunk[],
  question: Uint32Array,
  limits: { readonly nearest: number; readonly sample: number },
): Promise<ScanResult<Chunk>> {
  const total = chunks.reduce((sum, { count }) => sum + count, 0);
  const distances = new Uint16Array(total);
  const histogram = new Uint32Array(question.length * 32 + 1);
  let [done, sliceEnd] = [0, sliceVectors];
  for (const { bits, count } of chunks) {
    if (done >= sliceEnd) {
      await setImmediate();
      sliceEnd = done + sliceVectors;
    }
    measure(bits, count, question, distances.subarray(done, done + count), histogram);
    done += count;
  }
  const maxDistance = distanceOfRank(histogram, Math.min(limits.nearest, total));
  return collect(chunks, distances, maxDistance, limits);
}

/** Writes the Hamming distance of each vector, and counts each distance in the histogram. */
function measure(
  bits: Uint32Array,
  count: number,
  question: Uint32Array,
  distances: Uint16Array,
  histogram: Uint32Array,
): void {
  const words = question.length;
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    let distance = 0;
    for (let word = 0; word < words; word += 1) {
      let different = (bits[at] as number) ^ (question[word] as number);
      at += 1;
      different -= (different >>> 1) & 0x55555555;
      different = (different & 0x33333333) + ((different >>> 2) & 0x33333333);
      different = (different + (different >>> 4)) & 0x0f0f0f0f;
      distance += Math.imul(different, 0x01010101) >>> 24;
    }
    distances[index] = distance;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
}

/** Returns the distance of the vector at a rank (from 1) by distance. */
function distanceOfRank(histogram: Uint32Array, rank: number): number {
  let seen = 0;
  for (const [distance, count] of histogram.entries()) {
    seen += count;
    if (seen >= rank) return distance;
  }
  return histogram.length;
}

function collect<Chunk extends BitChunk>(
  chunks: readonly Chunk[],
  distances: Uint16Array,
  maxDistance: number,
  limits: { readonly nearest: number; readonly sample: number },
): ScanResult<Chunk> {
  const candidates: { chunk: Chunk; position: number; distance: number }[] = [];
  const sample: Place<Chunk>[] = [];
  const interval = Math.max(1, distances.length / limits.sample);
  let [index, nextSample, maxTies] = [0, 0, 0];
  for (const chunk of chunks) {
    for (let position = 0; position < chunk.count; position += 1) {
      const distance = distances[index] as number;
      if (distance === maxDistance) maxTies += 1;
      // Limit ties, because many identical texts may have the same distance.
      if (distance < maxDistance || (distance === maxDistance && maxTies <= limits.nearest)) {
        candidates.push({ chunk, position, distance });
      }
      if (index >= nextSample) {
        sample.push({ chunk, position });
        nextSample += interval;
      }
      index += 1;
    }
  }
  candidates.sort((a, b) => a.distance - b.distance);
  return { nearest: candidates.slice(0, limits.nearest), sample: sample.slice(0, limits.sample) };
}
