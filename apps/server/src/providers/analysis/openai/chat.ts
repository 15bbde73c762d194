/**
 * Requests JSON that matches a schema from a chat model. Adapts to the features that the server supports, and retries
 * unusable answers.
 */
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
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
import { AnalysisFailure, type AnalysisFailureCode } from '../port.ts';
import { parseAnswer, toJsonSchema, withoutReasoning } from './answer.ts';
import { retryPrompt, schemaPrompt } from './prompts.ts';

export interface ChatRequest<Answer> {
  readonly system: string;
  readonly data: object;
  readonly schema: z.ZodType<Answer>;
  /**
   * Describes another error in an answer, for the model to fix; null if there is none. If the model repeats the error,
   * the answer is returned anyway.
   */
  readonly check: (answer: Answer) => string | null;
}

export interface Chat {
  /**
   * @throws {AnalysisFailure}
   * @throws {ContextExceeded}
   */
  ask<Answer>(question: ChatRequest<Answer>, signal?: AbortSignal): Promise<Answer>;
}

/** Thrown if the request and its answer exceed the model's context window. The caller must send less. */
export class ContextExceeded extends Error {
  override readonly name = 'TooLong';
  /** The beginning of the answer, if it was truncated. */
  readonly beginning: string;

  constructor(message: string, beginning = '') {
    super(message);
    this.beginning = beginning;
  }
}

/** Maximum attempts to get a usable answer: the request, and one to repair its answer. */
const MAX_ATTEMPTS = 2;

/** Features that the server may support. They are detected by trying the most capable set first. */
interface Features {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
}

/** Schema of a response. Some servers return the text in parts, or put all of it into a field for the reasoning. */
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

type Message = ChatCompletionCreateParamsNonStreaming['messages'][number];

/**
 * Groq's error code for an answer that doesn't match the requested format. It doesn't mean that the format is
 * unsupported.
 */
const GENERATION_FAILED = 'json_validate_failed';

export function createChat(service: Service, model: string, clock: Clock = wallClock): Chat {
  const features = createFeatures<Features>({ format: 'json_schema', temperature: true }, clock);

  /**
   * Requests one answer. Each time the server rejects a feature, the request is repeated without that feature.
   * @param asText whether to accept text in any format
   * @returns null if the server withheld an answer because its format was wrong
   */
  async function complete(
    messages: readonly Message[],
    schema: object,
    asText: boolean,
    signal: AbortSignal | undefined,
  ): Promise<string | null> {
    const initial = features.current();
    for (let attempted = asText ? { ...initial, format: 'text' as const } : initial; ; ) {
      try {
        const text = await service.request(
          (client, request) =>
            client.chat.completions.create(
              createParams(model, attempted, messages, schema),
              request,
            ),
          readCompletion,
          signal,
        );
        if (!asText) features.accept(attempted);
        return text;
      } catch (error) {
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
    async ask<Answer>({ system, data, schema, check }: ChatRequest<Answer>, signal?: AbortSignal) {
      const jsonSchema = toJsonSchema(schema);
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: JSON.stringify(data) },
      ];
      let problem = '';
      let asText = false;
      let imperfect: { readonly value: Answer } | null = null;
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const completed = await complete(messages, jsonSchema, asText, signal);
        asText = completed === null;
        const text = completed ?? '';
        const answer = parseAnswer(text, schema);
        const violation = answer.problem ?? check(answer.value);
        if (answer.problem === null) {
          if (violation === null) return answer.value;
          imperfect = answer;
        }
        problem = violation ?? '';
        messages.push(
          // Some servers reject an empty message.
          { role: 'assistant', content: withoutReasoning(text) || '{}' },
          { role: 'user', content: retryPrompt(problem) },
        );
      }
      if (imperfect) return imperfect.value;
      throw new AnalysisFailure('answer-unusable', problem);
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
  const simplerFormat = { json_schema: 'json_object', json_object: 'text' } as const;
  if (attempted.temperature && /temperature/.test(`${field} ${code}`)) {
    return { ...attempted, temperature: false };
  }
  if (attempted.format !== 'text') return { ...attempted, format: simplerFormat[attempted.format] };
  return attempted.temperature ? { ...attempted, temperature: false } : null;
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
