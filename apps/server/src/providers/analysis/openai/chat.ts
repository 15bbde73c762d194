/**
 * Requests JSON that matches a schema from a chat model, adapts to the features that the server supports, and retries
 * unusable answers.
 */
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { z } from 'zod';
import {
  type Rejection,
  type Service,
  ServiceFailure,
  UnreadableResponse,
} from '../../openai/service.ts';
import { AnalysisFailure, type AnalysisFailureCode } from '../port.ts';
import { retryPrompt, schemaPrompt } from './prompts.ts';

export interface ChatRequest<Answer> {
  readonly system: string;
  readonly data: object;
  readonly schema: z.ZodType<Answer>;
  /** Describes a further error in an answer, for the model to fix; null if there is none. */
  readonly check: (answer: Answer) => string | null;
}

export interface Chat {
  /**
   * @throws {AnalysisFailure}
   * @throws {ContextExceeded}
   */
  ask<Answer>(question: ChatRequest<Answer>, signal?: AbortSignal): Promise<Answer>;
}

/** The request and its answer exceed the model's context window. The caller must send less. */
export class ContextExceeded extends Error {
  override readonly name = 'TooLong';
}

/** Maximum attempts to get a usable answer. */
const MAX_ATTEMPTS = 3;

/** The server's features, detected by trying the most capable set first. */
interface Features {
  readonly format: 'json_schema' | 'json_object' | 'text';
  readonly temperature: boolean;
}

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
});

type Message = ChatCompletionCreateParamsNonStreaming['messages'][number];

export function createChat(service: Service, model: string): Chat {
  let features: Features = { format: 'json_schema', temperature: true };

  /** Requests one answer. Each time the server rejects a feature, the request is repeated without it. */
  async function complete(
    messages: readonly Message[],
    schema: object,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    for (let attempted = features; ; ) {
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
        features = attempted;
        return text;
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
        if (isTooLong(error.rejection)) throw new ContextExceeded(error.detail);
        const reduced = error.rejection && withFewerFeatures(attempted, error.rejection);
        if (!reduced) throw new AnalysisFailure(failureCodes[error.code], error.detail);
        attempted = reduced;
      }
    }
  }

  return {
    async ask({ system, data, schema, check }, signal) {
      const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema);
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: JSON.stringify(data) },
      ];
      let problem = '';
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const text = await complete(messages, jsonSchema, signal);
        const answer = parseAnswer(text, schema);
        const violation = answer.problem ?? check(answer.value);
        if (answer.problem === null && violation === null) return answer.value;
        problem = violation ?? '';
        messages.push(
          { role: 'assistant', content: text },
          { role: 'user', content: retryPrompt(problem) },
        );
      }
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

/** True if the request was too long, which some servers report as HTTP 413. */
function isTooLong(rejection: Rejection | undefined): boolean {
  return rejection?.status === 413 || rejection?.code === 'context_length_exceeded';
}

function readCompletion(value: unknown): string {
  const parsed = completion.safeParse(value);
  const [choice] = parsed.data?.choices ?? [];
  if (!choice) throw new UnreadableResponse('no completion');
  if (choice.finish_reason === 'length')
    throw new ContextExceeded('answer truncated at the length limit');
  if (choice.finish_reason === 'content_filter' || choice.message.refusal) {
    throw new AnalysisFailure('answer-unusable', 'the model refused to answer');
  }
  return choice.message.content ?? '';
}

type ParsedAnswer<Answer> =
  | { readonly problem: null; readonly value: Answer }
  | { readonly problem: string };

/** Parses an answer. Errors don't quote the text, because they are logged. */
function parseAnswer<Answer>(text: string, schema: z.ZodType<Answer>): ParsedAnswer<Answer> {
  const jsonText = /^\s*```(?:json)?\s*(.*?)\s*```\s*$/s.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(jsonText);
  } catch {
    return { problem: 'it is no JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { problem: null, value: parsed.data };
  const issues = parsed.error.issues.slice(0, 3);
  return { problem: issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join(', ') };
}

const failureCodes = {
  aborted: 'aborted',
  unavailable: 'service-unavailable',
  quota: 'quota-exhausted',
  refused: 'access-refused',
  rejected: 'access-refused',
  unreadable: 'answer-unusable',
} as const satisfies Record<ServiceFailure['code'], AnalysisFailureCode>;
