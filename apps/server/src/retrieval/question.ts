import { detectLanguages, getStopWords } from '../providers/analysis/builtin/language.ts';
import { findConcepts } from './concepts/lexicon.ts';
import { asksForTasks, findExpectedKinds } from './kinds.ts';
import { findPeriod, type Period } from './periods.ts';
import { removeStopWords } from './stop-words.ts';
import { sum } from './sum.ts';
import { conceptTerm, extractTerms, type Term } from './terms.ts';

/** A term of a question. */
export interface QuestionTerm extends Term {
  /**
   * For a concept, the words that the question uses for it, each as indexes of its terms. A paragraph that contains
   * such a word contains the concept as well, so only one of them may count. Null for a term of a word.
   */
  readonly words: readonly (readonly number[])[] | null;
}

/** An analyzed question. */
export interface Question {
  /** The terms to find, without stop words. Concepts are last. */
  readonly terms: readonly QuestionTerm[];
  /** The languages that the question may be in, most likely first. */
  readonly languages: readonly string[];
  /** The period that the question mentions, if any. */
  readonly period: Period | null;
  /** Whether the question is about tasks, such as promises and duties. */
  readonly isAboutTasks: boolean;
  /** The kinds of paragraphs that contain the type of answer that the question expects, as bit flags. 0 if unknown. */
  readonly expectedKinds: number;
}

/** Maximum number of terms in a question. Each term costs an index query. */
const maxTerms = 32;
/** Maximum number of concepts in a question. Each costs an index query as well. */
const maxConcepts = 12;
/** Maximum weight of a concept, in terms. A word without spaces around it consists of several terms. */
const maxConceptWeight = 2;
/** Weight of the terms of the earlier question in a follow-up question. */
const earlierWeight = 0.4;

/**
 * Analyzes a question.
 * @param earlier the earlier question, if this is a follow-up ("And in April?")
 * @param today the day of the question, in days since 1970-01-01
 */
export function analyzeQuestion(question: string, earlier: string | null, today: number): Question {
  const languages = detectLanguages(question);
  const terms = createTermSet();
  terms.add(question, languages, 1);
  if (earlier !== null) terms.add(earlier, detectLanguages(earlier), earlierWeight);
  return {
    terms: terms.list(),
    languages,
    period: findPeriod(question, languages, today),
    isAboutTasks: asksForTasks(question, languages),
    expectedKinds: findExpectedKinds(question, languages),
  };
}

/** Collects the terms and concepts of questions. Terms that were added first have precedence. */
function createTermSet() {
  const terms = new Map<string, Term>();
  /** The concepts, with the words that the questions use for them. */
  const concepts = new Map<string, { readonly weight: number; readonly words: Set<string> }>();
  return {
    add(question: string, languages: readonly string[], weight: number): void {
      for (const term of contentTerms(question, languages)) {
        if (!terms.has(term.text)) terms.set(term.text, { ...term, weight: term.weight * weight });
      }
      const stopWords = languages.map(getStopWords);
      for (const { concept, text } of findConcepts(question, languages)) {
        if (stopWords.some((words) => words.has(text))) continue;
        const ofWord = sum(extractTerms(text).map((term) => term.weight));
        const current = concepts.get(concept) ?? { weight: 0, words: new Set() };
        concepts.set(concept, {
          weight: Math.max(current.weight, weight * Math.min(maxConceptWeight, ofWord)),
          words: current.words.add(text),
        });
      }
    },
    list(): QuestionTerm[] {
      const ofWords = [...terms.values()].sort((a, b) => b.weight - a.weight).slice(0, maxTerms);
      const indexes = new Map(ofWords.map(({ text }, index) => [text, index]));
      const findIndexes = (word: string) =>
        extractTerms(word).flatMap(({ text }) => indexes.get(text) ?? []);
      const ofConcepts = [...concepts]
        .slice(0, maxConcepts)
        .map(([concept, { weight, words }]) => ({
          ...{ text: conceptTerm(concept), weight },
          words: [...words].map(findIndexes).filter((word) => word.length > 0),
        }));
      return [...ofWords.map((term) => ({ ...term, words: null })), ...ofConcepts];
    },
  };
}

/** Removes the stop words, unless nothing would be left. */
function contentTerms(question: string, languages: readonly string[]): Term[] {
  const terms = extractTerms(removeStopWords(question, languages));
  return terms.length > 0 ? terms : extractTerms(question);
}
