import { createDateFinder } from '../providers/analysis/builtin/dates.ts';
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
import { memoize } from './memoize.ts';

/**
 * Types of answers: which ones a question expects, and which ones a paragraph contains. "How many" expects a number, for
 * example, and a paragraph without a number rarely answers it.
 */

const asksByLanguage = memoize((language) => {
  const words = answerWords[language];
  if (words === undefined) return null;
  const typed = answerTypes.map((type) => `(?<${type}>${words.asks[type]})`);
  return {
    /** Matches interrogative expressions, with a group for each type of answer. */
    pattern: compilePattern([...typed, words.asksOther ?? '(?!)'].join('|'), 'g'),
    onlyFirst: words.asksOther !== undefined,
  };
});

const answersByLanguage = memoize((language) => {
  const words = answerWords[language];
  if (words === undefined) return null;
  const { numbers, dates } = languageData(language);
  const amounts = [String.raw`\d`, words.amounts];
  // In languages without spaces, number words are too short to be found without the word that is counted.
  if (words.asksOther !== undefined)
    amounts.push(String.raw`\b${numberSource(withoutOne(numbers))}\b`);
  const sources = { ...words.contains, number: amounts.join('|'), time: calendarYear };
  return {
    patterns: new Map(answerTypes.map((type) => [type, compilePattern(sources[type], '')])),
    findDates: dates && createDateFinder(dates, languageData(language)),
  };
});

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
 * @param languages the languages that the question may be in, as returned by `detectLanguages`
 */
export function findExpectedTypes(
  question: string,
  languages: readonly string[],
): ReadonlySet<AnswerType> {
  const text = fold(question.normalize('NFC')).trim();
  const types = new Set<AnswerType>();
  for (const language of languages) {
    const asks = asksByLanguage(language);
    if (asks === null) continue;
    for (const [index, match] of [...text.matchAll(asks.pattern)].entries()) {
      const start = text.slice(0, match.index + 1);
      if (asks.onlyFirst && index > 0 && !startsQuestion.test(start)) continue;
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
  const answers = answersByLanguage(primaryLanguage(language));
  if (answers === null) return [];
  const folded = foldWithOffsets(text.normalize('NFC'));
  return answerTypes.filter(
    (type) =>
      answers.patterns.get(type)?.test(folded.text) ||
      answerConcepts[type].some((concept) => concepts.has(concept)) ||
      // The resolved dates don't matter, so any day will do.
      (type === 'time' && (answers.findDates?.(folded, new Date(0)).length ?? 0) > 0),
  );
}
