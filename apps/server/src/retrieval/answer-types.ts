import { createDateFinder, type DateFinder } from '../providers/analysis/builtin/dates.ts';
import { fold, foldWithOffsets } from '../providers/analysis/builtin/folded-text.ts';
import { primaryLanguage } from '../providers/analysis/builtin/language.ts';
import { compilePattern, type NumberWords } from '../providers/analysis/builtin/languages/data.ts';
import { languageData } from '../providers/analysis/builtin/languages/index.ts';
import { numberSource } from '../providers/analysis/builtin/numbers.ts';
import {
  type AnswerType,
  answerConcepts,
  answerTypes,
  answerWords,
  calendarYear,
} from './answer-words.ts';

/**
 * Types of answers: which ones a question expects, and which ones a paragraph contains. "How many" expects a number, for
 * example, and a paragraph without a number rarely answers it.
 */

/** The patterns of one language. */
interface Finder {
  /** Interrogative expressions, with a group for each type of answer. */
  readonly asks: RegExp;
  /** Whether interrogative words come first, so that later ones are conjunctions. */
  readonly isFirst: boolean;
  readonly contains: ReadonlyMap<AnswerType, RegExp>;
  readonly findDates: DateFinder | undefined;
}

const finders = new Map<string, Finder | null>();

/** Returns the patterns of a language, which are compiled on first use. Null if there are none. */
function getFinder(tag: string): Finder | null {
  const language = primaryLanguage(tag);
  const known = finders.get(language);
  if (known !== undefined) return known;
  const finder = createFinder(language);
  finders.set(language, finder);
  return finder;
}

function createFinder(language: string): Finder | null {
  const words = answerWords[language];
  if (words === undefined) return null;
  const data = languageData(language);
  const isFirst = words.asksOther !== undefined;
  const asks = answerTypes.map((type) => `(?<${type}>${words.asks[type]})`);
  const numbers = [String.raw`\d`, words.amounts];
  // In languages without spaces, number words are too short to be found without the word that is counted.
  if (isFirst) numbers.push(String.raw`\b${numberSource(withoutOne(data.numbers))}\b`);
  const contains = { ...words.contains, number: numbers.join('|'), time: calendarYear };
  return {
    asks: compilePattern([...asks, words.asksOther ?? '(?!)'].join('|'), 'g'),
    isFirst,
    contains: new Map(
      answerTypes.map((type) => [type, compilePattern(contains[type], '')] as const),
    ),
    findDates: data.dates && createDateFinder(data.dates, data),
  };
}

/** Removes the words for one, which are articles and pronouns as well. */
function withoutOne(numbers: NumberWords): NumberWords {
  const words = Object.entries(numbers.words).filter(([, value]) => value !== 1);
  return { ...numbers, words: Object.fromEntries(words) };
}

/**
 * Matches the text up to the first letter of an interrogative word of a further question: "Who came, and when?" In Arabic,
 * "and" is that letter.
 */
const startsQuestion = /(?:[?!¿:] ?|\s(?:and|or|y|e|o|et|ou|и|или) )\S$|\sو$/iu;

/**
 * Returns the types of answers that a question expects, if any.
 * @param languages the languages that the question may be in
 */
export function findExpectedTypes(
  question: string,
  languages: readonly string[],
): ReadonlySet<AnswerType> {
  const text = fold(question.normalize('NFC')).trim();
  const types = new Set<AnswerType>();
  for (const language of languages) {
    const finder = getFinder(language);
    if (finder === null) continue;
    for (const [index, match] of [...text.matchAll(finder.asks)].entries()) {
      const start = text.slice(0, match.index + 1);
      if (index > 0 && finder.isFirst && !startsQuestion.test(start)) continue;
      const type = answerTypes.find((each) => match.groups?.[each] !== undefined);
      if (type) types.add(type);
    }
  }
  return types;
}

/**
 * Returns the types of answers that a paragraph contains.
 * @param language the paragraph's language, as a language tag
 * @param concepts the paragraph's concepts
 */
export function findContainedTypes(
  text: string,
  language: string,
  concepts: ReadonlySet<string>,
): AnswerType[] {
  const finder = getFinder(language);
  if (finder === null) return [];
  const folded = foldWithOffsets(text.normalize('NFC'));
  return answerTypes.filter(
    (type) =>
      finder.contains.get(type)?.test(folded.text) ||
      answerConcepts[type].some((concept) => concepts.has(concept)) ||
      // The resolved dates don't matter, so any day will do.
      (type === 'time' && (finder.findDates?.(folded, new Date(0)).length ?? 0) > 0),
  );
}
