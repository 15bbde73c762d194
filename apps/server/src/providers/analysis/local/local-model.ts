import type { z } from 'zod';
import type { LlamaModel } from '../../llama/model.ts';
import { toJsonSchema } from '../generative/answer.ts';
import {
  askWithRepair,
  ContextExceeded,
  type LanguageModel,
  type Question,
} from '../generative/model.ts';
import { schemaPrompt } from '../generative/prompts.ts';
import { grammarSchema } from './schema.ts';

/** Tokens around the messages of a request, such as the names of the roles. */
const TEMPLATE_TOKENS = 64;
/** Fraction of the tokens beside the instructions that the data may take. The answer gets the rest. */
const DATA_SHARE = 0.5;

/**
 * Adapts a process to the analyzer.
 * @param name name of the engine and the model, as stored with the summary
 * @param toFailure converts an error of the process
 */
export function createLocalModel(
  name: string,
  llama: LlamaModel,
  toFailure: (error: unknown) => unknown,
): LanguageModel {
  const converting = async <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw toFailure(error);
    });
  // A grammar isn't visible to the model, so the instructions contain the schema too.
  const instructions = (system: string, schema: z.ZodType) =>
    `${system}\n${schemaPrompt(toJsonSchema(schema))}`;

  return {
    name,

    async dataTokens(system, schema, signal) {
      const { contextTokens } = await converting(llama.describe(signal));
      const texts = [instructions(system, schema)];
      const [taken = 0] = await converting(llama.countTokens(texts, signal));
      return Math.max(1, Math.floor((contextTokens - taken - TEMPLATE_TOKENS) * DATA_SHARE));
    },

    countTokens: (texts, signal) => converting(llama.countTokens(texts, signal)),

    ask<Answer>(question: Question<Answer>, signal?: AbortSignal) {
      const system = instructions(question.system, question.schema);
      const schema = grammarSchema(toJsonSchema(question.schema), question.sources);
      return askWithRepair({ ...question, system }, async (messages) => {
        const { text, end } = await converting(llama.complete(messages, schema, signal));
        if (end === 'too-long') throw new ContextExceeded('request too long');
        if (end === 'truncated') throw new ContextExceeded('answer truncated', text);
        return text;
      });
    },
  };
}
