/** Defines the requests to a language model's process and its events, one JSON object per line. */
import { z } from 'zod';

/** The task of a process, which never changes. */
export interface LlamaTask {
  /** Path of the engine's entry point. */
  readonly engine: string;
  /** Path of the GGUF file. */
  readonly model: string;
  /** Whether the model completes chats or computes embeddings. */
  readonly purpose: LlamaPurpose;
  /** Maximum tokens of the context. The model's own maximum applies if it is smaller. */
  readonly contextTokens: number;
  readonly threads: number;
  /** Path of the pipe from which the process reads paths of requests, one per line. */
  readonly requests: string;
}

export type LlamaPurpose = 'chat' | 'embedding';

export interface LlamaMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** A request that the process reads from a file. */
export type LlamaRequest =
  /** Describes the loaded model. */
  | { readonly kind: 'describe' }
  /** Counts the tokens of each string. */
  | { readonly kind: 'count'; readonly texts: readonly string[] }
  /** Completes a chat with JSON that matches a schema. Requires the purpose `chat`. */
  | {
      readonly kind: 'complete';
      readonly messages: readonly LlamaMessage[];
      /** JSON schema that the engine converts to a grammar. */
      readonly schema: object;
      /** Whether the process also reports the text while it is written. */
      readonly isStreamed: boolean;
    }
  /** Computes an embedding of each string. Requires the purpose `embedding`. */
  | { readonly kind: 'embed'; readonly texts: readonly string[] };

export const llamaEventSchema = z.discriminatedUnion('event', [
  /** The engine can't be used on this machine. */
  z.object({ event: z.literal('absent'), reason: z.string() }),
  /** The engine is loaded; the model is being loaded. */
  z.object({ event: z.literal('begun') }),
  /** The model is loaded. Any later failure has another cause. */
  z.object({ event: z.literal('loaded') }),
  z.object({
    event: z.literal('described'),
    pid: z.int(),
    /** Number of tokens in the context, for prompt and answer together. */
    contextTokens: z.int().min(1),
    /** Length of embeddings. */
    dimensions: z.int().min(1),
  }),
  z.object({ event: z.literal('counted'), tokens: z.array(z.int().min(0)) }),
  /** The text of a completion so far. Precedes `completed`. */
  z.object({ event: z.literal('written'), text: z.string() }),
  z.object({
    event: z.literal('completed'),
    text: z.string(),
    /**
     * `truncated`: the answer filled the context. `too-long`: the request filled the context, so there is no answer.
     */
    end: z.enum(['complete', 'truncated', 'too-long']),
  }),
  /** Unit vectors. */
  z.object({ event: z.literal('embedded'), vectors: z.array(z.array(z.number()).min(1)) }),
  /** The request failed, but the process can take the next one. */
  z.object({ event: z.literal('failed'), reason: z.string() }),
]);
export type LlamaEvent = z.output<typeof llamaEventSchema>;

/** An event that answers a request. */
export type LlamaAnswer = Exclude<LlamaEvent, { event: 'absent' | 'begun' | 'loaded' | 'written' }>;

/** Maximum tokens of a text to embed. Longer texts are truncated. */
export const EMBEDDED_TOKENS = 512;

/** File descriptor for the events, because the engine itself writes to standard output and standard error. */
export const EVENT_DESCRIPTOR = 3;
