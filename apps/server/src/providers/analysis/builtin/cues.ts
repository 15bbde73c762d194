import type { SummaryListName } from '@linnet/contract/structures';
import type { Cues, LanguageData } from './languages/data.ts';
import type { Sentence } from './sentences.ts';

const QUESTION_MARK = /[?]["'”»)\]]*$/u;

/** Returns the lists that can be extracted in a language. */
export function extractedLists(data: LanguageData): SummaryListName[] {
  const { questions } = data;
  const lists: Readonly<Record<SummaryListName, boolean>> = {
    todos: data.todos !== undefined,
    knowledge_points: data.knowledge !== undefined,
    needs: data.needs !== undefined,
    questions: questions.marked || questions.include !== undefined,
    finance: data.money !== undefined,
    timeline: data.dates !== undefined,
    topics: true,
  };
  return (Object.keys(lists) as SummaryListName[]).filter((list) => lists[list]);
}

export function matchesCue(cues: Cues | undefined, sentence: Sentence): boolean {
  if (!cues) return false;
  const { text } = sentence.folded;
  return cues.include.some((cue) => cue.test(text)) && !cues.exclude?.some((cue) => cue.test(text));
}

/** The circumstances of a sentence that decide whether it is a to-do. */
export interface TodoContext {
  /** Whether the sentence mentions a date or time. */
  readonly isDated: boolean;
  /** The sentences that follow, in which a task may be declined or withdrawn. */
  readonly next: readonly Sentence[];
}

/**
 * True if a sentence is a to-do. A request may be phrased as a question, but a question about a promise or duty isn't a
 * to-do.
 */
export function isTodo(
  sentence: Sentence,
  { todos, questions, decisions }: LanguageData,
  { isDated, next }: TodoContext,
): boolean {
  if (!todos) return false;
  const { text } = sentence.folded;
  const matches = (cues: readonly RegExp[] | undefined, content = text) =>
    cues?.some((cue) => cue.test(content)) ?? false;
  const isRequest = matches(todos.requests);
  if (!isRequest) {
    if (!matches(todos.include)) return false;
    // A decision assigns no task.
    if (matchesCue(decisions, sentence)) return false;
    if (QUESTION_MARK.test(text) || matches(questions.include)) return false;
    if (matches(todos.descriptions)) return false;
  }
  if (matches(todos.exclude)) return false;
  if (!isDated && matches(todos.immediate)) return false;
  return !next.some(({ folded }) => matches(todos.withdrawn, folded.text));
}

export function isQuestion(sentence: Sentence, { questions }: LanguageData): boolean {
  const { text } = sentence.folded;
  if (questions.exclude?.some((cue) => cue.test(text))) return false;
  if (questions.marked && QUESTION_MARK.test(text)) return true;
  if (questions.include?.some((cue) => cue.test(text))) return true;
  return questions.order?.(sentence.words.map((word) => word.replaceAll('’', "'"))) ?? false;
}

/** Returns the spoken words captured by a group of the first cue that matches, or null. */
export function captureFromCue(
  sentence: Sentence,
  cues: readonly RegExp[] | undefined,
  group: string,
): string | null {
  for (const cue of cues ?? []) {
    const match = cue.exec(sentence.folded.text);
    const range = match?.indices?.groups?.[group];
    const words = range && sentence.folded.originalText(range[0], range[1]).trim();
    if (words) return words;
  }
  return null;
}
