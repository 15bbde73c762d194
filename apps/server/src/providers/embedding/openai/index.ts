/** The embedder that uses a service with OpenAI's API. */
import { z } from 'zod';
import { runInParallel } from '../../openai/in-parallel.ts';
import {
  openService,
  type Service,
  ServiceFailure,
  type ServiceOptions,
  UnreadableResponse,
} from '../../openai/service.ts';
import { createEmbedder, type EmbedderDependencies } from '../embedder.ts';
import { type Embedder, EmbeddingFailure, type EmbeddingFailureCode } from '../port.ts';

export interface OpenAiEmbeddingOptions
  extends ServiceOptions,
    Pick<EmbedderDependencies, 'prefixes' | 'dimensions'> {
  readonly model: string;
}

/** Number of texts per request, small enough for small servers. */
const batchSize = 32;
const concurrency = 2;
/** Minimum length in characters of a text that can be shortened. */
const shortest = 64;

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
});

/**
 * Computes embeddings with a service that implements OpenAI's `POST embeddings`. Passages and questions are sent to that
 * service.
 */
export function createOpenAiEmbedder({
  model,
  prefixes,
  dimensions,
  ...options
}: OpenAiEmbeddingOptions): Embedder {
  const service = openService(options);
  const request = { model, ...(dimensions !== undefined && { dimensions }) };
  return createEmbedder({
    id: 'openai',
    prefixes,
    dimensions,
    async compute(texts, signal) {
      const batches: (readonly string[])[] = [];
      for (let offset = 0; offset < texts.length; offset += batchSize) {
        batches.push(texts.slice(offset, offset + batchSize));
      }
      try {
        const vectors = await runInParallel(
          batches,
          concurrency,
          (batch, stop) => embedBatch(service, request, batch, stop),
          signal,
        );
        return { name: model, vectors: vectors.flat() };
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
        throw new EmbeddingFailure(failureCodes[error.code], error.detail);
      }
    },
  });
}

interface RequestOptions {
  readonly model: string;
  readonly dimensions?: number;
}

/**
 * Requests the vectors of a batch. If the batch exceeds the service's limit, it is split in half. A single text that is
 * too long is truncated to half its length.
 */
async function embedBatch(
  service: Service,
  options: RequestOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  try {
    return await service.request(
      (client, request) =>
        client.embeddings.create(
          // Otherwise, the library requests base64, which not all services support.
          { ...options, input: [...texts], encoding_format: 'float' },
          request,
        ),
      (response) => readVectors(response, texts.length),
      signal,
    );
  } catch (error) {
    if (!(error instanceof ServiceFailure) || !error.rejection?.isTooLong) throw error;
    const parts = split(texts);
    if (parts === null) throw error;
    const vectors: (readonly number[])[] = [];
    for (const part of parts) {
      vectors.push(...(await embedBatch(service, options, part, signal)));
    }
    return vectors;
  }
}

/** Returns smaller batches for the same number of vectors, or null for a single text that is already short. */
function split(texts: readonly string[]): readonly (readonly string[])[] | null {
  const [text = ''] = texts;
  if (texts.length === 1) {
    return text.length <= shortest ? null : [[text.slice(0, text.length / 2).toWellFormed()]];
  }
  const middle = Math.ceil(texts.length / 2);
  return [texts.slice(0, middle), texts.slice(middle)];
}

/** @throws UnreadableResponse */
function readVectors(response: unknown, count: number): readonly (readonly number[])[] {
  const parsed = answerSchema.safeParse(response);
  if (!parsed.success) throw new UnreadableResponse('no vectors');
  const vectors = new Map(parsed.data.data.map(({ index, embedding }) => [index, embedding]));
  return Array.from({ length: count }, (_, index) => {
    const vector = vectors.get(index);
    if (vector === undefined) throw new UnreadableResponse('a vector is missing');
    return vector;
  });
}

const failureCodes = {
  aborted: 'aborted',
  unavailable: 'service-unavailable',
  quota: 'quota-exhausted',
  refused: 'access-refused',
  rejected: 'text-refused',
  unreadable: 'answer-unusable',
} as const satisfies Record<ServiceFailure['code'], EmbeddingFailureCode>;
