import type { Embedder } from '../../src/providers/embedding/port.ts';
import { toUnit } from '../../src/providers/speakers/vectors.ts';

const dimensions = 384;
/** Subjects of a large library. */
const clusterCount = 5000;
/** Lengths of what all vectors, those of a cluster, and no others have in common. Those of some models are alike. */
const [commonLength, clusterLength, ownLength] = [1, 1, 1];

/**
 * Creates an embedder whose vectors mean nothing, but are distributed like those of a model: each text has a fixed vector
 * in a cluster, and all have a direction in common.
 */
export function createRandomEmbedder(): Embedder {
  const common = randomVector(1);
  const centers = Array.from({ length: clusterCount }, (_, index) => randomVector(index + 2));
  return {
    id: 'random',
    async embed({ texts }) {
      const vectors = texts.map((text) => {
        const seed = hash(text);
        const center = centers[seed % clusterCount] as Float32Array;
        const own = randomVector(seed);
        return toUnit(
          own.map(
            (value, at) =>
              ownLength * value +
              clusterLength * (center[at] as number) +
              commonLength * (common[at] as number),
          ),
        );
      });
      return { model: `random:${dimensions}`, vectors };
    },
  };
}

/** Returns a unit vector of normally distributed numbers, each the sum of four uniform ones. */
function randomVector(seed: number): Float32Array {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return toUnit(
    Float32Array.from(
      { length: dimensions },
      () => uniform() + uniform() + uniform() + uniform() - 2,
    ),
  );
}

/** Returns the FNV-1a hash of a text. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
