/** The user's notes as sent to the model, with the paragraphs during which they were typed. */
import type { AnalysisNote, AnalysisParagraph, AnalyzeRequest } from '../port.ts';
import { countPieces, type LanguageModel } from './model.ts';
import { takeFitting } from './parts.ts';

/** Fraction of a part's budget for the notes of one paragraph. */
const NOTES_SHARE = 0.25;

/** A request's notes. `time` is in seconds. */
export interface PromptNotes {
  /** Notes from before the recording, which apply to all of it. */
  readonly before: readonly string[];
  /** Notes typed during the recording, by index of the paragraph spoken at that time. */
  readonly beside: ReadonlyMap<number, readonly AnalysisNote[]>;
}

/**
 * Assigns the notes to paragraphs. Notes that exceed their share of the budget are omitted.
 * @param paragraphs the paragraphs sent to the model, in order
 * @param budget tokens for a part of the transcript
 * @throws AnalysisFailure
 */
export async function promptNotes(
  model: LanguageModel,
  { notes = [], signal }: AnalyzeRequest,
  paragraphs: readonly AnalysisParagraph[],
  budget: number,
): Promise<PromptNotes> {
  if (notes.length === 0) return { before: [], beside: new Map() };
  const all = notes.map(({ time, text }): AnalysisNote => ({ time, text }));
  const countTokens = await countPieces(model, all, signal);
  const takeFittingNotes = (some: readonly AnalysisNote[]) =>
    takeFitting(some, countTokens, budget * NOTES_SHARE);
  const notesByParagraph = new Map<number, AnalysisNote[]>();
  for (const note of all.filter(({ time }) => time > 0)) {
    const index = Math.max(
      0,
      paragraphs.findLastIndex(({ start }) => start <= note.time),
    );
    notesByParagraph.set(index, [...(notesByParagraph.get(index) ?? []), note]);
  }
  return {
    before: takeFittingNotes(all.filter(({ time }) => time === 0)).map(({ text }) => text),
    beside: new Map([...notesByParagraph].map(([index, list]) => [index, takeFittingNotes(list)])),
  };
}
