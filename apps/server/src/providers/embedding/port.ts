/**
 * Text embeddings: vectors whose similarity reflects the similarity in meaning, even across different words and
 * languages. Every engine is an adapter in its own folder and passes the tests in `contract-suite.ts`.
 */

/** The kind of text. Some models were trained with different prefixes for questions and for passages. */
export type EmbeddingKind = 'passage' | 'question';

export interface EmbeddingRequest {
  readonly kind: EmbeddingKind;
  /** The texts, none of them blank. Models truncate long texts. */
  readonly texts: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Embeddings {
  /**
   * Identifies everything that the vectors depend on: the engine, the model, its prefixes and the number of dimensions.
   * Only vectors of the same model are comparable.
   */
  readonly model: string;
  /** One vector of unit length per text, in order. */
  readonly vectors: readonly Float32Array[];
}

/**
 * Why embeddings couldn't be computed.
 *
 * | code | cause | worker's action |
 * |---|---|---|
 * | service-unavailable | the service did not respond, or requested too long a delay | retries later |
 * | quota-exhausted | the service's quota or credit is used up | retries later |
 * | access-refused | the service rejected the key, or does not have the model | retries later |
 * | text-refused | the service rejected the texts | continues with other recordings |
 * | answer-unusable | vectors are missing, have different dimensions, or aren't numbers | continues with other recordings |
 * | engine-missing | the engine or its model isn't installed, or the model's files are damaged | retries later |
 * | engine-failed | the engine's process crashed, ran out of memory or took too long | retries later |
 * | aborted | the caller aborted | none |
 */
export type EmbeddingFailureCode =
  | 'service-unavailable'
  | 'quota-exhausted'
  | 'access-refused'
  | 'text-refused'
  | 'answer-unusable'
  | 'engine-missing'
  | 'engine-failed'
  | 'aborted';

/** The only error that an embedder throws. `detail` is for logs and never contains the texts. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure';
  readonly code: EmbeddingFailureCode;
  readonly detail: string;

  constructor(code: EmbeddingFailureCode, detail: string, cause?: unknown) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.detail = detail;
  }

  /** Whether the texts are the cause. Other texts may succeed. */
  get isCausedByTexts(): boolean {
    return this.code === 'text-refused' || this.code === 'answer-unusable';
  }
}

export interface Embedder {
  /** Stable name: the value of `EMBEDDINGS` that selects the engine. */
  readonly id: string;
  /**
   * Computes the embeddings of texts.
   * @throws EmbeddingFailure
   */
  embed(request: EmbeddingRequest): Promise<Embeddings>;
  /**
   * Describes what has to be installed before the engine works, or returns null. Undefined if it needs no installation.
   */
  missing?(): Promise<string | null>;
  /** Stops the engine's processes, if any. A later request restarts them. */
  close?(): Promise<void>;
}
