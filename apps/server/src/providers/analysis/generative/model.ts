/** The interface of a language model as used by the analyzer, and retries that are common to all models. */
import type { z } from 'zod';
import { AnalysisFailure } from '../port.ts';
import { parseAnswer, withoutReasoning } from './answer.ts';
import { retryPrompt } from './prompts.ts';

/** A message of a chat. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface Question<Answer> {
  readonly system: string;
  readonly data: object;
  readonly schema: z.ZodType<Answer>;
  /** The IDs that the answer may cite. */
  readonly sources: ReadonlySet<string>;
  /**
   * Describes an error in a parsed answer for the model to fix, or returns null. If the model repeats the error, the
   * answer is returned anyway.
   */
  readonly check: (answer: Answer) => string | null;
  /** Called with the partial answer whenever another JSON object in it is complete. */
  readonly onPartial?: (answer: Answer) => void;
}

/** Called with the text of an answer so far, while the model writes it. A retry starts over with an empty text. */
export type TextListener = (text: string) => void;

export interface LanguageModel {
  /** Name of the engine and the model, as stored with the summary. */
  readonly name: string;
  /**
   * Returns how many tokens of data fit in a request with these instructions, leaving room for the answer.
   * @throws AnalysisFailure
   */
  maxDataTokens(system: string, schema: z.ZodType, signal?: AbortSignal): Promise<number>;
  /**
   * Returns the number of tokens in each string.
   * @throws AnalysisFailure
   */
  countTokens(texts: readonly string[], signal?: AbortSignal): Promise<readonly number[]>;
  /**
   * @throws AnalysisFailure
   * @throws ContextExceeded
   */
  ask<Answer>(question: Question<Answer>, signal?: AbortSignal): Promise<Answer>;
  /** Called when the analysis has ended. */
  release?(): Promise<void>;
}

/** Thrown if the request and its answer exceed the model's context window. The caller must send less. */
export class ContextExceeded extends Error {
  override readonly name = 'ContextExceeded';
  /** The beginning of the answer, if it was truncated. */
  readonly beginning: string;

  constructor(message: string, beginning = '') {
    super(message);
    this.beginning = beginning;
  }
}

/** Maximum attempts to get a usable answer: the request and one request to repair its answer. */
const MAX_ATTEMPTS = 2;

/**
 * Asks the model for an answer that matches the question's schema, and retries once if the answer is unusable.
 * @param complete returns the text of the next answer. No listener is passed if the question has no `onPartial`.
 * @throws AnalysisFailure `answer-unusable`, and anything that `complete` throws
 */
export async function askWithRepair<Answer>(
  { system, data, schema, check, onPartial }: Question<Answer>,
  complete: (messages: readonly Message[], onText?: TextListener) => Promise<string>,
): Promise<Answer> {
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: JSON.stringify(data) },
  ];
  const onText = onPartial && createPartialReader(schema, onPartial);
  let problem = '';
  let imperfect: { readonly value: Answer } | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const text = await complete(messages, onText).catch((error: unknown) => {
      // The request to repair an answer includes the answer, so it may be too long although the first request wasn't.
      if (error instanceof ContextExceeded && imperfect) return null;
      throw error;
    });
    if (text === null) break;
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
}

/** Creates a listener that parses the text so far, up to the last complete JSON object. */
function createPartialReader<Answer>(
  schema: z.ZodType<Answer>,
  onPartial: (answer: Answer) => void,
): TextListener {
  let parsedEnd = 0;
  return (text) => {
    const end = text.lastIndexOf('}') + 1;
    if (end === parsedEnd) return;
    parsedEnd = end;
    const answer = parseAnswer(text.slice(0, end), schema);
    if (answer.problem === null) onPartial(answer.value);
  };
}

/** Counts the tokens of each piece. */
export async function countPieces<Piece extends object>(
  model: LanguageModel,
  pieces: readonly Piece[],
  signal?: AbortSignal,
): Promise<(piece: Piece) => number> {
  const counts = await model.countTokens(
    pieces.map((piece) => JSON.stringify(piece)),
    signal,
  );
  const byPiece = new Map(pieces.map((piece, index) => [piece, counts[index] ?? 0]));
  return (piece) => byPiece.get(piece) ?? 0;
}
