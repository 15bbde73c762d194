import { toUnit } from '../src/providers/speakers/vectors.ts';

/** Returns a generator of reproducible, normally distributed numbers (mulberry32 and Box-Muller). */
function normalNumbers(seed: number): () => number {
  let state = seed;
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/**
 * Returns reproducible unit vectors in clusters. A vector belongs to the cluster of its index modulo the number of
 * clusters.
 * @param offset length of the direction common to all vectors, relative to their differences
 */
export function clustered({
  count,
  dimensions,
  clusters,
  offset = 0,
}: {
  readonly count: number;
  readonly dimensions: number;
  readonly clusters: number;
  readonly offset?: number;
}): Float32Array[] {
  const normal = normalNumbers(7);
  const random = () => toUnit(Float32Array.from({ length: dimensions }, normal));
  const centers = Array.from({ length: clusters }, random);
  const common = random();
  return Array.from({ length: count }, (_, index) => {
    const center = centers[index % clusters] as Float32Array;
    const offsets = random();
    return toUnit(
      offsets.map(
        (value, component) => value + (center[component] ?? 0) + offset * (common[component] ?? 0),
      ),
    );
  });
}
