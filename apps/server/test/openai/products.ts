/**
 * OpenAI-compatible products, modeled on their documentation and sources: the formats they accept, their responses, and
 * how they reject requests. The products themselves aren't included.
 */
import type { TranscriptionVerbose } from 'openai/resources/audio/transcriptions';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import {
  type FakeOpenAi,
  openAiBehavior,
  type ServiceBehavior,
  type ServiceFault,
} from './service.ts';

export type ProductName =
  | 'OpenAI'
  | 'Groq'
  | 'Ollama'
  | 'llama.cpp'
  | 'LM Studio'
  | 'vLLM'
  | 'speaches'
  | 'whisper.cpp';

export interface Product {
  readonly behavior: ServiceBehavior;
  /** Capabilities of the service. */
  readonly service: Partial<
    Pick<
      FakeOpenAi,
      'language' | 'wordTimes' | 'audioFormats' | 'refusalStatus' | 'formats' | 'temperatureRefused'
    >
  >;
  /** Responses while the service is loading its model. */
  readonly loading: readonly ServiceFault[];
}

const noTranscriptions = { transcriptionPath: null } as const;
const noKey = { needsKey: false } as const;

/** Returns a completion with a modified message. */
const withMessage =
  (change: (content: string) => object) =>
  (completion: ChatCompletion): unknown => ({
    ...completion,
    choices: completion.choices.map((choice) => ({
      ...choice,
      message: { ...choice.message, ...change(choice.message.content ?? '') },
    })),
  });

/**
 * Moves the words into their segments.
 * @param write returns the words of a segment as the product writes them
 */
const withWordsInSegments =
  (write: (words: NonNullable<TranscriptionVerbose['words']>) => unknown) =>
  ({ words = [], ...answer }: TranscriptionVerbose): unknown => ({
    ...answer,
    segments: answer.segments?.map((segment) => ({
      ...segment,
      words: write(words.filter(({ start }) => start >= segment.start && start < segment.end)),
    })),
  });

export const products: Readonly<Record<ProductName, Product>> = {
  // OpenAI's current models return text without timestamps and reject a temperature.
  OpenAI: {
    behavior: openAiBehavior,
    service: { audioFormats: ['json'], temperatureRefused: true },
    loading: [],
  },
  // Capitalizes the language name. Most models don't support schemas. Reports an exceeded rate limit as a request that
  // is too large.
  Groq: {
    behavior: {
      ...openAiBehavior,
      refusal: (refusal, message, tokens) =>
        tokens
          ? {
              status: 413,
              body: {
                error: {
                  message: `Request too large for model: Limit ${tokens.max}, Requested ${tokens.sent}`,
                  type: 'tokens',
                  code: 'rate_limit_exceeded',
                },
              },
            }
          : openAiBehavior.refusal(refusal, message),
      transcription: (answer) => ({ ...answer, x_groq: { id: 'req_1' } }),
    },
    service: { language: 'English', formats: ['json_object', 'text'] },
    loading: [],
  },
  // A reasoning model. Writes its reasoning before the answer, and a code fence around the answer. Supports no
  // transcriptions and needs no key.
  Ollama: {
    behavior: {
      ...openAiBehavior,
      ...noTranscriptions,
      ...noKey,
      completion: withMessage((content) => ({
        content: `<think>\nThe user wants {"a": "summary"}.\n</think>\n\n\`\`\`JSON\n${content}\n\`\`\``,
      })),
      refusal: ({ status, code }, message, tokens) => ({
        status,
        body: {
          error: {
            message: tokens ? 'the input length exceeds the context length' : message,
            type: code ?? 'api_error',
            param: null,
            code: null,
          },
        },
      }),
    },
    service: {},
    loading: [],
  },
  // Rejects requests while the model is loading. Returns the reasoning separately from the answer.
  'llama.cpp': {
    behavior: {
      ...openAiBehavior,
      ...noTranscriptions,
      ...noKey,
      completion: withMessage((content) => ({ content, reasoning_content: 'Let me see.' })),
      refusal: ({ status }, message, tokens) => ({
        status,
        body: {
          error: tokens
            ? {
                code: 400,
                message: 'the request exceeds the available context size, try increasing it',
                type: 'exceed_context_size_error',
                n_prompt_tokens: tokens.sent,
                n_ctx: tokens.max,
              }
            : { code: status, message, type: 'invalid_request_error' },
        },
      }),
    },
    service: {},
    loading: [
      {
        kind: 'answer',
        status: 503,
        body: '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
      },
    ],
  },
  // Returns errors as plain text. Rejects `json_object`. Small models write text around their answer.
  'LM Studio': {
    behavior: {
      ...openAiBehavior,
      ...noTranscriptions,
      ...noKey,
      completion: withMessage((content) => ({
        content: `Here is the JSON:\n${content}\nLet me know if you need anything else.`,
      })),
      refusal: ({ status }, message, tokens) => ({
        status,
        body: {
          error: tokens
            ? `Trying to keep the first ${tokens.sent} tokens when context the overflows. However, the model is loaded with context length of only ${tokens.max} tokens, which is not enough.`
            : message,
        },
      }),
    },
    service: { formats: ['json_schema', 'text'] },
    loading: [],
  },
  // Transcriptions have segments, but no words and no language. The content may be a list of parts.
  vLLM: {
    behavior: {
      ...openAiBehavior,
      transcription: ({ text, duration, segments }) => ({ text, duration, segments, words: null }),
      completion: withMessage((content) => ({
        content: [{ type: 'text', text: content }],
        reasoning_content: null,
        tool_calls: [],
      })),
      refusal: ({ status, param }, message, tokens) => ({
        status,
        body: {
          object: 'error',
          message: tokens
            ? `This model's maximum context length is ${tokens.max} tokens. However, you requested ${tokens.sent} tokens.`
            : message,
          type: 'BadRequestError',
          param: param ?? null,
          code: status,
        },
      }),
    },
    service: { wordTimes: false },
    loading: [{ kind: 'reset' }],
  },
  // Uses FastAPI: rejections have status 422 and details. The language is a code, and segments have no words.
  speaches: {
    behavior: {
      ...openAiBehavior,
      ...noKey,
      hasChat: false,
      transcription: (answer) => ({
        ...answer,
        segments: answer.segments?.map((segment) => ({ ...segment, words: null })),
      }),
      refusal: ({ status, param }, message) => ({
        status,
        body: { detail: [{ type: 'value_error', loc: ['body', param ?? 'file'], msg: message }] },
      }),
    },
    service: { language: 'en', refusalStatus: 422 },
    loading: [{ kind: 'answer', status: 500, body: 'Internal Server Error' }],
  },
  // Words are inside the segments, with a leading space. Lines of the text end with a line feed.
  'whisper.cpp': {
    behavior: {
      ...openAiBehavior,
      ...noKey,
      hasChat: false,
      transcription: withWordsInSegments((words) =>
        words.map(({ word, start, end }) => ({
          word: ` ${word}`,
          start,
          end,
          t_dtw: -1,
          probability: 0.91,
        })),
      ),
      refusal: ({ status }, message) => ({ status, body: { error: message } }),
    },
    service: {},
    loading: [
      {
        kind: 'answer',
        status: 503,
        body: '{"error":{"type":"unavailable_error","message":"Loading model"}}',
      },
    ],
  },
};
