import type { SummaryListName } from '@linnet/contract/structures';
import { type Cues, joinPatterns, type LanguageData, type QuestionCues } from './languages/data.ts';
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

/** The joined expressions for each list of cues. */
const joined = new WeakMap<readonly RegExp[], readonly RegExp[]>();

/** Returns whether any of the cues matches. Joins a list into one expression, which is several times faster. */
function matchesAny(cues: readonly RegExp[] | undefined, text: string): boolean {
  if (!cues) return false;
  let expressions = joined.get(cues);
  if (!expressions) {
    expressions = joinPatterns(cues);
    joined.set(cues, expressions);
  }
  return expressions.some((expression) => expression.test(text));
}

export function matchesCue(cues: Cues | undefined, sentence: Sentence): boolean {
  if (!cues) return false;
  const { text } = sentence.folded;
  return matchesAny(cues.include, text) && !matchesAny(cues.exclude, text);
}

/** Minimum number of words in a to-do. "Please." and "Will do." only express assent or refer to an earlier sentence. */
const SHORTEST_TODO_WORDS = 2;
/**
 * Minimum number of words in a command or promise without a date, in a language with Latin script. Shorter sentences
 * are about the moment ("Keep it there").
 */
const SHORTEST_UNDATED_WORDS = 5;
const LATIN = /\p{Script=Latin}/u;

/** The context that decides whether a sentence is a to-do. */
export interface TodoContext {
  /** Whether the sentence mentions a date or time. */
  readonly isDated: boolean;
  /** The next sentences, which may decline or withdraw the task. */
  readonly next: readonly Sentence[];
}

/**
 * Returns whether a sentence is a to-do. A request may be phrased as a question, but a question about a promise or duty
 * isn't a to-do.
 */
export function isTodo(
  sentence: Sentence,
  { todos, questions, decisions }: LanguageData,
  { isDated, next }: TodoContext,
): boolean {
  if (!todos) return false;
  const { text } = sentence.folded;
  const matches = (cues: readonly RegExp[] | undefined, content = text) =>
    matchesAny(cues, content);
  const words = countWords(sentence);
  if (words < SHORTEST_TODO_WORDS) return false;
  const isRequest = matches(todos.requests);
  if (!isRequest) {
    if (!matches(todos.include)) return false;
    // A decision assigns no task.
    if (matchesCue(decisions, sentence)) return false;
    if (QUESTION_MARK.test(text) || matches(questions.include)) return false;
    if (matches(todos.descriptions)) return false;
    if (!isDated && !matches(todos.when)) {
      if (words < SHORTEST_UNDATED_WORDS && LATIN.test(text)) return false;
      if (matches(todos.unassigned)) return false;
    }
  }
  if (matches(todos.exclude)) return false;
  if (!isDated && matches(todos.immediate)) return false;
  return !next.some(({ folded }) => matches(todos.withdrawn, folded.text));
}

/** Maximum number of words in an echo question ("By car?"). */
const ECHO_WORDS = 3;
/** Maximum number of words in a question that is part of a greeting ("How was the lake, Dave?"). */
const GREETING_WORDS = 6;
/** Scripts without spaces between words. */
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Average number of characters per word in these scripts. */
const CHARACTERS_PER_WORD = 2;

/** The context that decides whether a sentence is a sincere question. */
export interface QuestionContext {
  /** The next sentence, if it is by the same speaker. */
  readonly continuation?: Sentence | undefined;
  /** Whether the sentence is among the greetings of a long conversation. */
  readonly isGreeting?: boolean;
}

/** Returns whether a sentence is a question that expects an answer from others. */
export function isQuestion(
  sentence: Sentence,
  { questions }: LanguageData,
  { continuation, isGreeting = false }: QuestionContext = {},
): boolean {
  if (matchesAny(questions.exclude, sentence.folded.text)) return false;
  if (!looksLikeQuestion(sentence, questions)) return false;
  if (questions.interrogatives === undefined) return true;
  const hasInterrogative = questions.interrogatives.test(sentence.folded.text);
  const words = countWords(sentence);
  if (isGreeting && !hasInterrogative && words <= GREETING_WORDS) return false;
  if (!continuation) return true;
  if (questions.answers?.test(continuation.folded.text)) return false;
  return hasInterrogative || words > ECHO_WORDS;
}

function looksLikeQuestion({ folded, words }: Sentence, questions: QuestionCues): boolean {
  if (questions.marked && QUESTION_MARK.test(folded.text)) return true;
  if (matchesAny(questions.include, folded.text)) return true;
  return questions.order?.(words.map((word) => word.replaceAll('’', "'"))) ?? false;
}

function countWords({ text }: Sentence): number {
  if (UNSPACED_SCRIPT.test(text))
    return text.replace(/[^\p{L}\p{M}]/gu, '').length / CHARACTERS_PER_WORD;
  return text.split(/\s+/u).filter((word) => /\p{L}/u.test(word)).length;
}

/** Returns the original words captured by a group of the first matching cue, or null. */
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
