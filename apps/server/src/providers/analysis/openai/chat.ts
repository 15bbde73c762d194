import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { z } from 'zod';
import {
  type Rejection,
  type Service,
  ServiceFailure,
  UnreadableResponse,
} from '../../openai/service.ts';
import { AnalysisFailure, type AnalysisFailureCode } from '../port.ts';
import { againPrompt, schemaPrompt } from './prompts.ts';

export interface ChatRequest<Answer> {
  readonly system: string;
  readonly data: object;
  readonly schema: z.ZodType<Answer>;
  /** Describes a further error in an answer to the model; null if there is none. */
  readonly check: (answer: Answer) => string | null;
}

export interface Chat {
  /**
   * @throws {AnalysisFailure}
   * @throws {TooLong}
   */
  ask<Answer>(question: ChatRequest<Answer>, signal?: AbortSignal): Promise<Answer>;
}

/** The request and its answer exceed the model's context window. The caller must send less. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Attempts for unusable answers. */
const TRIES = 3;

/** Features of the server, detected by trying the most capable set first. */
interface Abilities {
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
  let abilities: Abilities = { format: 'json_schema', temperature: true };

  /** Requests one answer, with fewer features each time the server rejects one. */
  async function complete(
    messages: readonly Message[],
    schema: object,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    for (let used = abilities; ; ) {
      try {
        const text = await service.request(
          (client, request) =>
            client.chat.completions.create(params(model, used, messages, schema), request),
          readCompletion,
          signal,
        );
        abilities = used;
        return text;
      } catch (error) {
        if (!(error instanceof ServiceFailure)) throw error;
        if (isTooLong(error.rejection)) throw new TooLong(error.detail);
        const less = error.rejection && weaker(used, error.rejection);
        if (!less) throw new AnalysisFailure(failureCodes[error.code], error.detail);
        used = less;
      }
    }
  }

  return {
    async ask({ system, data, schema, check }, signal) {
      const { $schema: _, ...described } = z.toJSONSchema(schema);
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: JSON.stringify(data) },
      ];
      let trouble = '';
      for (let tries = 0; tries < TRIES; tries += 1) {
        const text = await complete(messages, described, signal);
        const answer = readJson(text, schema);
        const wrong = answer.trouble ?? check(answer.value);
        if (answer.trouble === null && wrong === null) return answer.value;
        trouble = wrong ?? '';
        messages.push(
          { role: 'assistant', content: text },
          { role: 'user', content: againPrompt(trouble) },
        );
      }
      throw new AnalysisFailure('answer-unusable', trouble);
    },
  };
}

function params(
  model: string,
  { format, temperature }: Abilities,
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

function weaker(used: Abilities, { status, field, code }: Rejection): Abilities | null {
  if (status !== 400 && status !== 422) return null;
  const less = { json_schema: 'json_object', json_object: 'text' } as const;
  if (used.temperature && /temperature/.test(`${field} ${code}`)) {
    return { ...used, temperature: false };
  }
  if (used.format !== 'text') return { ...used, format: less[used.format] };
  return used.temperature ? { ...used, temperature: false } : null;
}

/** Matches HTTP 413 too. */
function isTooLong(rejection: Rejection | undefined): boolean {
  return rejection?.status === 413 || rejection?.code === 'context_length_exceeded';
}

function readCompletion(value: unknown): string {
  const parsed = completion.safeParse(value);
  const [choice] = parsed.data?.choices ?? [];
  if (!choice) throw new UnreadableResponse('no completion');
  if (choice.finish_reason === 'length') throw new TooLong('answer truncated at the length limit');
  if (choice.finish_reason === 'content_filter' || choice.message.refusal) {
    throw new AnalysisFailure('answer-unusable', 'the model refused to answer');
  }
  return choice.message.content ?? '';
}

type Reading<Answer> =
  | { readonly trouble: null; readonly value: Answer }
  | { readonly trouble: string };

/** Parses an answer. Errors do not quote the text, because they are logged. */
function readJson<Answer>(text: string, schema: z.ZodType<Answer>): Reading<Answer> {
  const bare = /^\s*```(?:json)?\s*(.*?)\s*```\s*$/s.exec(text)?.[1] ?? text;
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return { trouble: 'it is no JSON' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { trouble: null, value: parsed.data };
  const issues = parsed.error.issues.slice(0, 3);
  return { trouble: issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`).join(', ') };
}

const failureCodes = {
  aborted: 'aborted',
  unavailable: 'service-unavailable',
  quota: 'quota-exhausted',
  refused: 'access-refused',
  rejected: 'access-refused',
  unreadable: 'answer-unusable',
} as const satisfies Record<ServiceFailure['code'], AnalysisFailureCode>;
