import { fold } from '../providers/analysis/builtin/folded-text.ts';
import { languageData } from '../providers/analysis/builtin/languages/index.ts';
import { findContainedTypes, findExpectedTypes } from './answer-types.ts';
import type { AnswerType } from './answer-words.ts';
import { sum } from './sum.ts';

/** The kinds of paragraphs, as bit flags: questions, tasks, and the types of answers that they contain. */
export const paragraphKinds = {
  ...{ question: 1, task: 2 },
  ...{ number: 4, time: 8, reason: 16, place: 32, person: 64 },
} as const;

/** Matches text that ends with a question mark. */
const endsAsQuestion = /[?]["'”»」』)\]]*\s*$/u;

/**
 * Returns the kinds of a paragraph as bit flags.
 * @param language the paragraph's language, as a language tag
 * @param concepts the paragraph's concepts
 */
export function detectKinds(text: string, language: string, concepts: ReadonlySet<string>): number {
  const folded = fold(text);
  const { questions, todos } = languageData(language);
  const isQuestion =
    endsAsQuestion.test(folded) || (questions.include?.some((cue) => cue.test(folded)) ?? false);
  const isTask =
    todos !== undefined && [...todos.include, ...todos.requests].some((cue) => cue.test(folded));
  return (
    (isQuestion ? paragraphKinds.question : 0) +
    (isTask ? paragraphKinds.task : 0) +
    toFlags(findContainedTypes(text, language, concepts))
  );
}

/**
 * Returns the kinds of paragraphs that may answer a question, as bit flags: 0 if the question expects no type of answer.
 * @param languages the languages that the question may be in
 */
export const findExpectedKinds = (question: string, languages: readonly string[]): number =>
  toFlags(findExpectedTypes(question, languages));

const toFlags = (types: Iterable<AnswerType>) =>
  sum([...types].map((type) => paragraphKinds[type]));

/** Patterns for questions about tasks: promises, offers and duties. */
const taskWords: Readonly<Record<string, RegExp>> = {
  ar: /وعد|تعهد|تكفل|التزم|مهام|مهمة|سيفعل|ستفعل|سيتول|ستتول/u,
  en: /\bpromis|\boffer(?:ed)? to\b|\bundert|\bcommit|\btak(?:e|es|ing) (?:care|on)\b|\btook on\b|\bto-?dos?\b|\btasks?\b|\bsupposed to\b|\bagreed? to\b|\b(?:going|volunteer\p{L}*) to\b/iu,
  es: /\bpromet|\bocupa|\bencarg|\bcompromet|\btareas?\b|\bpendiente|\biba a hacer/iu,
  fr: /\bprom(?:is|et)|\bs['’]occup|\bcharge[rz]?\b|\bengag|\btâches?\b|\bà faire\b/iu,
  ja: /約束|引き受け|担当|やると言|すると言|することに/u,
  ko: /약속|하기로|맡|하겠다고|한다고 했|할 일/u,
  pt: /\bpromet|\bfic(?:ou|aram) de\b|\bcompromet|\bcuidar|\bencarreg|\btarefas?\b/iu,
  ru: /обеща|взял(?:ся|ась|ись)|поруч|вызва(?:лся|лась)|задач|долж[еën]/iu,
  th: /สัญญา|รับปาก|บอกว่าจะ|อาสา|รับหน้าที่|งานที่ต้อง/u,
  zh: /答应|承诺|负责|任务|待办|要做什么|说要去/u,
};

/** Returns whether a question asks for tasks. @param languages the languages that the question may be in */
export function asksForTasks(question: string, languages: readonly string[]): boolean {
  return languages.some((language) => taskWords[language]?.test(question) ?? false);
}
