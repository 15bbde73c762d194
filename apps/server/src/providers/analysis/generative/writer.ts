import { z } from 'zod';
import {
  AnalysisFailure,
  type AnswerRequest,
  type WrittenAnswer,
  type WrittenSentence,
} from '../port.ts';
import { countPieces, type LanguageModel } from './model.ts';
import { answerPrompt } from './prompts.ts';

/** Writes the answer to a question from passages. Sentences that cite no passage are dropped. */

const schema = z.object({
  answered: z
    .enum(['yes', 'no'])
    .describe('no if the passages do not contain the answer; then there are no sentences'),
  sentences: z.array(
    z.object({
      text: z.string().describe('one sentence of the answer'),
      source: z.string().describe('id of the passage that says so'),
    }),
  ),
});
type Draft = z.output<typeof schema>;

/** @throws AnalysisFailure, ContextExceeded */
export async function writeAnswer(
  model: LanguageModel,
  request: AnswerRequest,
): Promise<WrittenAnswer> {
  const { signal, onSentences } = request;
  const system = answerPrompt(request);
  const passages = request.passages.map(({ id, ...rest }, index) => ({
    id: `p${index + 1}`,
    ...rest,
    source: id,
  }));
  const prompts = passages.map(({ source: _, ...passage }) => passage);
  const count = await countPieces(model, prompts, signal);
  let budget = await model.maxDataTokens(system, schema, signal);
  // The best passages come first. Send at least one passage, even if it is too long.
  const read = prompts.filter((passage, index) => {
    budget -= count(passage);
    return index === 0 || budget >= 0;
  });
  const ids = new Set(read.map(({ id }) => id));
  const sourcesById = new Map(passages.map(({ id, source }) => [id, source]));
  const isCited = ({ text, source }: WrittenSentence) => text.trim() !== '' && ids.has(source);
  const selectCited = ({ answered, sentences }: Draft): WrittenSentence[] =>
    (answered === 'yes' ? sentences.filter(isCited) : []).map(({ text, source }) => ({
      text: text.trim(),
      source: sourcesById.get(source) ?? '',
    }));
  const draft = await model.ask<Draft>(
    {
      system,
      data: {
        ...(request.earlier !== undefined && { earlier_question: request.earlier }),
        ...{ question: request.question, today: request.today, passages: read },
      },
      schema,
      sources: ids,
      check: (answer) =>
        answer.answered === 'yes' && !answer.sentences.some(isCited)
          ? 'no sentence has a source that is the id of a passage given'
          : null,
      ...(onSentences && { onPartial: (partial) => onSentences(selectCited(partial)) }),
    },
    signal,
  );
  const sentences = selectCited(draft);
  if (draft.answered === 'yes' && sentences.length === 0) {
    throw new AnalysisFailure('answer-unusable', 'no sentence cites a passage');
  }
  return { engine: model.name, sentences };
}
