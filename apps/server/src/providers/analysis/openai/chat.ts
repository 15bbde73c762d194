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

export interface Question<Answer> {
  readonly system: string;
  readonly data: object;
  readonly schema: z.ZodType<Answer>;
  /** A further fault of an answer, in words for the model; null when there is none. */
  readonly check: (answer: Answer) => string | null;
}

export interface Chat {
  /**
   * @throws {AnalysisFailure}
   * @throws {TooLong}
   */
  ask<Answer>(question: Question<Answer>, signal?: AbortSignal): Promise<Answer>;
}

/** Question and answer do not fit into what the model takes: less has to be asked at once. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** How often a question is put whose answers cannot be used. */
const TRIES = 3;

/** Features a server supports, found by requesting the most capable first. */
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

  /** One answer, asked for with less and less until the server takes the question. */
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

/** 413 is HTTP's own word for it. */
function isTooLong(rejection: Rejection | undefined): boolean {
  return rejection?.status === 413 || rejection?.code === 'context_length_exceeded';
}

function readCompletion(value: unknown): string {
  const parsed = completion.safeParse(value);
  const [choice] = parsed.data?.choices ?? [];
  if (!choice) throw new UnreadableResponse('no completion');
  if (choice.finish_reason === 'length') throw new TooLong('the answer was cut at its length');
  if (choice.finish_reason === 'content_filter' || choice.message.refusal) {
    throw new AnalysisFailure('answer-unusable', 'the model does not answer');
  }
  return choice.message.content ?? '';
}

type Reading<Answer> =
  | { readonly trouble: null; readonly value: Answer }
  | { readonly trouble: string };

/** Faults are described without quoting the text, since they are logged. */
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
