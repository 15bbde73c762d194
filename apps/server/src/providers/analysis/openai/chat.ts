/**
 * Requests JSON that matches a schema from a chat model. Adapts to the features that the server supports, and retries
 * unusable answers.
 */
import type {
  ChatCompletionChunk,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions';
import { z } from 'zod';
import { createFeatures } from '../../openai/features.ts';
import {
  type Clock,
  type Rejection,
  type Service,
  ServiceFailure,
  UnreadableResponse,
  wallClock,
} from '../../openai/service.ts';
import { toJsonSchema } from '../generative/answer.ts';
import {
  askWithRepair,
  ContextExceeded,
  type LanguageModel,
  type Message,
  type Question,
  type TextListener,
} from '../generative/model.ts';
import { schemaPrompt } from '../generative/prompts.ts';
import { AnalysisFailure, type AnalysisFailureCode } from '../port.ts';

export interface ChatOptions {
  readonly model: string;
  /** Size of the context window in tokens, including the answer. */
  readonly contextTokens: number;
  readonly clock?: Clock | undefined;
}

/** Fraction of the context window for the transcript. The rest is for the instructions and the answer. */
const DATA_SHARE = 0.5;

/**
 * Overestimates the number of tokens in a string, at three bytes per token: one Chinese character or three English
 * letters.
 */
const estimateTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 3);

/** Features that the server may support. They are detected by trying the most capable set first. */
interface Features {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
  /** Whether the server can stream the answer. */
  readonly stream: boolean;
}

/** Schema of a response. Some servers return the text in parts, or put all of it in a field for the reasoning. */
const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z
            .union([
              z.string(),
              z.array(z.object({ text: z.string().optional().catch(undefined) })),
            ])
            .nullish(),
          reasoning_content: z.string().nullish().catch(null),
          reasoning: z.string().nullish().catch(null),
          refusal: z.string().nullish(),
        }),
      }),
    )
    .min(1),
});

const piece = z
  .union([
    z.string(),
    z
      .array(z.object({ text: z.string().catch('') }))
      .transform((parts) => parts.map(({ text }) => text).join('')),
  ])
  .catch('');
/** Schema of the next part of a streamed response, with the same variants. */
const completionDelta = z
  .object({ content: piece, reasoning_content: piece, reasoning: piece, refusal: piece })
  .catch({ content: '', reasoning_content: '', reasoning: '', refusal: '' });

/** Groq's error code for an answer that doesn't match the requested format, although the format is supported. */
const GENERATION_FAILED = 'json_validate_failed';

/** Opens a model of a service. */
export function createChat(
  service: Service,
  { model, contextTokens, clock = wallClock }: ChatOptions,
): LanguageModel {
  const features = createFeatures<Features>(
    { format: 'json_schema', temperature: true, stream: true },
    clock,
  );

  /**
   * Requests an answer. Whenever the server rejects a feature, retries without that feature.
   * @param asText whether to accept text in any format
   * @param onText called with the text so far. If undefined, the answer isn't streamed.
   * @returns null if the server withheld the answer because it didn't match the format
   */
  async function complete(
    messages: readonly Message[],
    schema: object,
    asText: boolean,
    signal: AbortSignal | undefined,
    onText: TextListener | undefined,
  ): Promise<string | null> {
    const initial = features.current();
    const isStreamable = onText !== undefined && initial.stream;
    const format = asText ? 'text' : initial.format;
    const first: Features = { ...initial, format, stream: isStreamable };
    for (let attempted = first; ; ) {
      try {
        const text = await service.request(
          async ({ chat: { completions } }, request) => {
            const params = createParams(model, attempted, messages, schema);
            if (!onText || !attempted.stream) return completions.create(params, request);
            const streamed = await completions.create({ ...params, stream: true }, request);
            const response = await collect(streamed, onText);
            // If aborted, the library ends the stream without an error.
            request.signal.throwIfAborted();
            return response;
          },
          readCompletion,
          signal,
        );
        // A request that wasn't streamed doesn't show whether the server supports streaming.
        const stream = isStreamable ? attempted.stream : initial.stream;
        if (!asText && attempted !== first) features.accept({ ...attempted, stream });
        return text;
      } catch (error) {
        if (error instanceof NotStreamed) {
          attempted = { ...attempted, stream: false };
          continue;
        }
        if (!(error instanceof ServiceFailure)) throw error;
        if (error.rejection?.isTooLong) throw new ContextExceeded(error.detail);
        if (error.rejection?.code === GENERATION_FAILED) return null;
        const reduced = error.rejection && withFewerFeatures(attempted, error.rejection);
        if (!reduced) throw new AnalysisFailure(failureCodes[error.code], error.detail);
        attempted = reduced;
      }
    }
  }

  return {
    name: `openai/${model}`,
    maxDataTokens: async () => Math.floor(contextTokens * DATA_SHARE),
    countTokens: async (texts) => texts.map(estimateTokens),
    ask<Answer>(question: Question<Answer>, signal?: AbortSignal) {
      const jsonSchema = toJsonSchema(question.schema);
      let acceptsText = false;
      return askWithRepair(question, async (messages, onText) => {
        const completed = await complete(messages, jsonSchema, acceptsText, signal, onText);
        acceptsText = completed === null;
        return completed ?? '';
      });
    },
  };
}

function createParams(
  model: string,
  { format, temperature }: Features,
  messages: readonly Message[],
  schema: object,
): ChatCompletionCreateParamsNonStreaming {
  const [system, ...rest] = messages;
  const formats = {
    json_schema: {
      type: 'json_schema',
      json_schema: { name: 'notes', strict: true, schema: schema as Record<string, unknown> },
    },
    json_object: { type: 'json_object' },
    text: { type: 'text' },
  } as const;
  return {
    model,
    response_format: formats[format],
    ...(temperature && { temperature: 0 }),
    messages:
      format === 'json_schema'
        ? [...messages]
        : [{ role: 'system', content: `${system?.content}\n${schemaPrompt(schema)}` }, ...rest],
  };
}

function withFewerFeatures(
  attempted: Features,
  { status, field, code }: Rejection,
): Features | null {
  if (status !== 400 && status !== 422) return null;
  if (attempted.stream && /stream/.test(`${field} ${code}`)) {
    return { ...attempted, stream: false };
  }
  const simplerFormat = { json_schema: 'json_object', json_object: 'text' } as const;
  if (attempted.temperature && /temperature/.test(`${field} ${code}`)) {
    return { ...attempted, temperature: false };
  }
  if (attempted.format !== 'text') return { ...attempted, format: simplerFormat[attempted.format] };
  if (attempted.temperature) return { ...attempted, temperature: false };
  return attempted.stream ? { ...attempted, stream: false } : null;
}

/** Thrown if a server ignores the request to stream the answer. */
class NotStreamed extends Error {
  override readonly name = 'NotStreamed';
}

/**
 * Reads a streamed answer.
 * @returns the response as if it hadn't been streamed
 * @throws NotStreamed
 */
async function collect(
  chunks: AsyncIterable<ChatCompletionChunk>,
  onText: TextListener,
): Promise<unknown> {
  const message = { content: '', reasoning_content: '', reasoning: '', refusal: '' };
  let finishReason: string | null = null;
  let count = 0;
  for await (const chunk of chunks) {
    count += 1;
    // Some servers send chunks without a choice, such as the token usage.
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    finishReason = choice.finish_reason ?? finishReason;
    const delta = completionDelta.parse(choice.delta);
    for (const field of ['content', 'reasoning_content', 'reasoning', 'refusal'] as const) {
      message[field] += delta[field];
    }
    onText(message.content);
  }
  if (count === 0) throw new NotStreamed();
  return { choices: [{ finish_reason: finishReason, message }] };
}

function readCompletion(value: unknown): string {
  const parsed = completion.safeParse(value);
  const [choice] = parsed.data?.choices ?? [];
  if (!choice) throw new UnreadableResponse('no completion');
  if (choice.finish_reason === 'content_filter' || choice.message.refusal) {
    throw new AnalysisFailure('answer-unusable', 'the model refused to answer');
  }
  const { content, reasoning_content, reasoning } = choice.message;
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content;
  const answer = [text, reasoning_content, reasoning].find((value) => value?.trim()) ?? '';
  if (choice.finish_reason === 'length') {
    throw new ContextExceeded('answer truncated at the length limit', answer);
  }
  return answer;
}

const failureCodes = {
  aborted: 'aborted',
  unavailable: 'service-unavailable',
  quota: 'quota-exhausted',
  refused: 'access-refused',
  rejected: 'access-refused',
  unreadable: 'answer-unusable',
} as const satisfies Record<ServiceFailure['code'], AnalysisFailureCode>;
