import { fnvOf } from '@linnet/base';
import type { Embedder } from '../../src/providers/embedding/port.ts';
import { toUnit } from '../../src/providers/speakers/vectors.ts';
import { findConcepts, readConcepts } from '../../src/retrieval/concepts/lexicon.ts';
import { extractTerms } from '../../src/retrieval/terms.ts';

const dimensions = 384;
/** Number of subjects in a large library. */
const clusterCount = 5000;
/**
 * Lengths of the components that a vector shares with all others, with its cluster, and with no other vector. Those of
 * some models are similar.
 */
const [commonLength, clusterLength, ownLength] = [1, 1, 1];

/**
 * Creates an embedder whose vectors have no meaning, but are distributed like those of a model: each text has a fixed
 * vector in a cluster, and all vectors share one component.
 */
export function createRandomEmbedder(): Embedder {
  const common = randomVector(1);
  const centers = Array.from({ length: clusterCount }, (_, index) => randomVector(index + 2));
  return {
    id: 'random',
    async embed({ texts }) {
      const vectors = texts.map((text) => {
        const seed = fnvOf(text);
        const center = centers[seed % clusterCount] as Float32Array;
        const ownVector = randomVector(seed);
        return toUnit(
          ownVector.map(
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

/** Dimensions of the vectors that carry meaning. With fewer, unrelated directions would be more similar. */
const meaningDimensions = 1024;
/** Weight of a word's direction, relative to that of a concept. */
const wordWeight = 0.6;
/** Weights of the directions of neighboring concepts, by distance in the lexicon, which is sorted by subject. */
const neighborWeights = [0.4, 0.3, 0.2, 0.1];

/**
 * Creates an embedder whose vectors carry meaning: a stand-in for a model, based on the lexicon of concepts. Each word
 * and each concept has a random direction. To a concept's direction, a fraction of its neighbors' directions is added,
 * so that concepts of the same subject are similar. A text's vector is the sum of the directions of its words and
 * concepts, weighted by their rarity.
 * @param texts the texts from which the rarity is determined
 */
export function createMeaningEmbedder(texts: readonly string[]): Embedder {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const feature of extractFeatures(text).keys()) {
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
    }
  }
  const concepts = readConcepts().map(({ name }) => toFeature(name));
  const directions = new Map<string, Float32Array>();
  const direct = (feature: string) => randomVector(fnvOf(feature), meaningDimensions);
  for (const [index, concept] of concepts.entries()) {
    const direction = direct(concept);
    for (const [step, weight] of neighborWeights.entries()) {
      for (const neighbor of [concepts[index - step - 1], concepts[index + step + 1]]) {
        if (neighbor !== undefined) add(direction, direct(neighbor), weight);
      }
    }
    directions.set(concept, toUnit(direction));
  }
  const embedText = (text: string) => {
    const vector = new Float32Array(meaningDimensions);
    for (const [feature, weight] of extractFeatures(text)) {
      const direction = directions.get(feature) ?? direct(feature);
      directions.set(feature, direction);
      const rarity = Math.log(1 + texts.length / (0.5 + (counts.get(feature) ?? 0)));
      add(vector, direction, rarity * weight);
    }
    return toUnit(vector);
  };
  return {
    id: 'meanings',
    embed: async ({ texts: inputs }) => ({
      model: `meanings:${meaningDimensions}`,
      vectors: inputs.map(embedText),
    }),
  };
}

const toFeature = (concept: string) => `concept ${concept}`;

/** Returns the words and concepts of a text, each with its weight. */
function extractFeatures(text: string): Map<string, number> {
  return new Map([
    ...extractTerms(text).map((term) => [term.text, wordWeight * term.weight] as const),
    ...findConcepts(text, []).map(({ concept }) => [toFeature(concept), 1] as const),
  ]);
}

function add(target: Float32Array, other: Float32Array, weight: number): void {
  for (const [at, value] of other.entries()) target[at] = (target[at] as number) + weight * value;
}

/** Returns a unit vector of normally distributed numbers, each the sum of four uniform ones. */
function randomVector(seed: number, length = dimensions): Float32Array {
  let state = seed;
  const uniform = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return toUnit(
    Float32Array.from({ length }, () => uniform() + uniform() + uniform() + uniform() - 2),
  );
}
