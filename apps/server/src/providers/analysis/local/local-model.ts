import type { z } from 'zod';
import type { LlamaModel } from '../../llama/model.ts';
import { SpeechFailure, type SpeechFailureCode } from '../../speech/port.ts';
import { parseAnswer, toJsonSchema } from '../generative/answer.ts';
import {
  askWithRepair,
  ContextExceeded,
  type LanguageModel,
  type Question,
} from '../generative/model.ts';
import { schemaPrompt } from '../generative/prompts.ts';
import { AnalysisFailure, type AnalysisFailureCode } from '../port.ts';
import { grammarSchema } from './schema.ts';

/** Number of tokens that the chat template adds to the messages of a request, such as role names. */
const TEMPLATE_TOKENS = 64;
/** Fraction of the context window (without the instructions) for data. The rest is for the answer. */
const DATA_SHARE = 0.5;

export interface LocalModelOptions {
  /** Name of the engine and the model, as stored with the summary. */
  readonly name: string;
  readonly llama: LlamaModel;
  /** Timeout of the whole analysis in seconds, starting now. */
  readonly seconds: number;
  /** Called when the analysis has ended. */
  readonly release: () => Promise<void>;
}

/** Adapts a llama.cpp process to the analyzer's interface, for one analysis. */
export function createLocalModel(options: LocalModelOptions): LanguageModel {
  const { name, llama, seconds, release } = options;
  const deadline = AbortSignal.timeout(Math.ceil(seconds * 1000));

  /** Sends a request that is aborted by the caller's signal or at the deadline. */
  async function send<Result>(
    signal: AbortSignal | undefined,
    request: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await request(signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (error) {
      if (!(error instanceof SpeechFailure)) throw error;
      if (error.code === 'aborted' && deadline.aborted && !signal?.aborted) {
        const reason = `analysis not finished after ${Math.round(seconds)} s`;
        throw new AnalysisFailure('engine-failed', reason, error);
      }
      throw new AnalysisFailure(failureCodes[error.code] ?? 'engine-failed', error.message, error);
    }
  }

  // The model doesn't see the grammar, so the instructions contain the schema, too.
  const instructions = (system: string, schema: z.ZodType) =>
    `${system}\n${schemaPrompt(toJsonSchema(schema))}`;

  const countTokens = (texts: readonly string[], signal?: AbortSignal) =>
    send(signal, (stop) => llama.countTokens(texts, stop));

  async function maxDataTokens(system: string, schema: z.ZodType, signal?: AbortSignal) {
    const { contextTokens } = await send(signal, (stop) => llama.describe(stop));
    const [taken = 0] = await countTokens([instructions(system, schema)], signal);
    return Math.max(1, Math.floor((contextTokens - taken - TEMPLATE_TOKENS) * DATA_SHARE));
  }

  return {
    name,
    maxDataTokens,
    countTokens,
    release,

    async ask<Answer>(question: Question<Answer>, signal?: AbortSignal) {
      const answerTokens = await maxDataTokens(question.system, question.schema, signal);
      const system = instructions(question.system, question.schema);
      const schema = grammarSchema(toJsonSchema(question.schema), question.sources, answerTokens);
      try {
        return await askWithRepair({ ...question, system }, async (messages, onText) => {
          const { text, end } = await send(signal, (stop) =>
            llama.complete(messages, schema, stop, onText),
          );
          if (end === 'too-long') throw new ContextExceeded('request too long');
          if (end === 'truncated') throw new ContextExceeded('answer truncated', text);
          return text;
        });
      } catch (error) {
        if (!(error instanceof ContextExceeded)) throw error;
        // Use the beginning of the answer. The model repeats itself, and would do so with half of the data, too. The
        // most important fields come first.
        const beginning = parseAnswer(error.beginning, question.schema);
        if (beginning.problem !== null) throw error;
        return beginning.value;
      }
    },
  };
}

/** Analysis failures by failure of the process. Any other failure is an `engine-failed`. */
const failureCodes: Partial<Record<SpeechFailureCode, AnalysisFailureCode>> = {
  aborted: 'aborted',
  'engine-missing': 'engine-missing',
  'model-corrupt': 'engine-missing',
};
