import type { SummaryListName } from '@linnet/contract/structures';
import type { Cues, LanguageData } from './languages/data.ts';
import type { Sentence } from './sentences.ts';

const QUESTION_MARK = /[?]["'”»)\]]*$/u;

/** The lists that are extracted in a language. */
export function extractedLists(data: LanguageData): SummaryListName[] {
  const { questions } = data;
  const lists: Readonly<Record<SummaryListName, boolean>> = {
    todos: data.todos !== undefined,
    knowledge_points: data.knowledge !== undefined,
    needs: data.needs !== undefined,
    questions: questions.marked || questions.yes !== undefined,
    finance: data.money !== undefined,
    timeline: data.dates !== undefined,
    topics: true,
  };
  return (Object.keys(lists) as SummaryListName[]).filter((list) => lists[list]);
}

export function saysOneOf(cues: Cues | undefined, sentence: Sentence): boolean {
  if (!cues) return false;
  const { text } = sentence.plain;
  return cues.yes.some((cue) => cue.test(text)) && !cues.no?.some((cue) => cue.test(text));
}

/** A request can be a question. A question about a promise or duty is not a to-do. */
export function isTodo(sentence: Sentence, { todos, questions }: LanguageData): boolean {
  if (!todos) return false;
  const { text } = sentence.plain;
  if (todos.no?.some((cue) => cue.test(text))) return false;
  if (todos.requests.some((cue) => cue.test(text))) return true;
  const asks = QUESTION_MARK.test(text) || questions.yes?.some((cue) => cue.test(text));
  return !asks && todos.yes.some((cue) => cue.test(text));
}

export function isQuestion(sentence: Sentence, { questions }: LanguageData): boolean {
  const { text } = sentence.plain;
  if (questions.no?.some((cue) => cue.test(text))) return false;
  if (questions.marked && QUESTION_MARK.test(text)) return true;
  if (questions.yes?.some((cue) => cue.test(text))) return true;
  return questions.order?.(sentence.words.map((word) => word.replaceAll('’', "'"))) ?? false;
}

/** The spoken words captured by a group of the first matching cue, or null. */
export function namedIn(
  sentence: Sentence,
  cues: readonly RegExp[] | undefined,
  group: string,
): string | null {
  for (const cue of cues ?? []) {
    const match = cue.exec(sentence.plain.text);
    const place = match?.indices?.groups?.[group];
    const said = place && sentence.plain.said(place[0], place[1]).trim();
    if (said) return said;
  }
  return null;
}
