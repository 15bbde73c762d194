import { createHash } from 'node:crypto';
import { toUnit } from '../speakers/vectors.ts';
import { type Embedder, EmbeddingFailure, type EmbeddingKind } from './port.ts';

/** The prefix that the model expects before each text, by kind of text. */
export type Prefixes = Readonly<Record<EmbeddingKind, string>>;

/** The engine's response before validation. */
export interface RawEmbeddings {
  /** Name of the model. */
  readonly name: string;
  readonly vectors: readonly (readonly number[] | Float32Array)[];
}

export interface EmbedderDependencies extends Pick<Embedder, 'id' | 'missing' | 'close'> {
  readonly prefixes: Prefixes;
  /** The required number of dimensions, if configured. */
  readonly dimensions?: number | undefined;
  /**
   * Computes the embeddings of at least one text.
   * @throws EmbeddingFailure
   */
  readonly compute: (
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ) => Promise<RawEmbeddings>;
}

/** Most models have 384 to 4096 dimensions. */
const maxDimensions = 8192;

/** Creates an embedder from an engine: adds the prefixes, and validates and normalizes the vectors. */
export function createEmbedder({
  prefixes,
  dimensions,
  compute,
  ...deps
}: EmbedderDependencies): Embedder {
  return {
    ...deps,
    async embed({ kind, texts, signal }) {
      if (texts.length === 0) throw new RangeError('there are no texts');
      if (signal?.aborted) throw new EmbeddingFailure('aborted', 'by the caller');
      const prefix = prefixes[kind];
      const prefixed = prefix === '' ? texts : texts.map((text) => `${prefix} ${text}`);
      const { name, vectors } = await compute(prefixed, signal);
      const length = checkVectors(vectors, texts.length, dimensions);
      return {
        model: identify(deps.id, name, prefixes, length),
        vectors: vectors.map(toUnitVector),
      };
    },
  };
}

/**
 * Returns the number of dimensions of vectors.
 * @throws EmbeddingFailure `answer-unusable`
 */
function checkVectors(
  vectors: RawEmbeddings['vectors'],
  count: number,
  required: number | undefined,
): number {
  const unusable = (detail: string) => new EmbeddingFailure('answer-unusable', detail);
  if (vectors.length !== count) throw unusable(`${vectors.length} vectors for ${count} texts`);
  const length = vectors[0]?.length ?? 0;
  if (length === 0 || length > maxDimensions) throw unusable(`vectors of ${length} dimensions`);
  if (required !== undefined && length !== required) {
    throw unusable(`vectors of ${length} dimensions instead of ${required}`);
  }
  for (const vector of vectors) {
    if (vector.length !== length) throw unusable('vectors of different lengths');
    if (!vector.every(Number.isFinite))
      throw unusable('a vector contains values other than numbers');
    if (vector.every((value) => value === 0)) throw unusable('a vector is zero');
  }
  return length;
}

/** @throws EmbeddingFailure `answer-unusable` if a number is too large, or all are too small */
function toUnitVector(vector: RawEmbeddings['vectors'][number]): Float32Array {
  const unit = toUnit(Float32Array.from(vector));
  if (!unit.every(Number.isFinite) || unit.every((value) => value === 0)) {
    throw new EmbeddingFailure('answer-unusable', 'a vector has no direction');
  }
  return unit;
}

function identify(id: string, name: string, prefixes: Prefixes, dimensions: number): string {
  const model = `${id}/${name}:${dimensions}`;
  if (prefixes.passage === '' && prefixes.question === '') return model;
  const digest = createHash('sha256').update(JSON.stringify([prefixes.passage, prefixes.question]));
  return `${model}:${digest.digest('hex').slice(0, 8)}`;
}
