import { detectLanguages, getStopWords } from '../providers/analysis/builtin/language.ts';
import { asksForTasks } from './kinds.ts';
import { findPeriod, type Period } from './periods.ts';
import { extractTerms, type Term } from './terms.ts';

/** An analyzed question. */
export interface Question {
  /** The terms to find, without stop words. */
  readonly terms: readonly Term[];
  /** The period that the question mentions, if any. */
  readonly period: Period | null;
  /** Whether the question is about tasks, such as promises and duties. */
  readonly isAboutTasks: boolean;
}

/** Maximum number of terms in a question. Each term costs an index query. */
const maxTerms = 32;
/** Weight of the terms of the earlier question in a follow-up question. */
const earlierShare = 0.4;

/**
 * Analyzes a question.
 * @param earlier the earlier question, if this is a follow-up ("And in April?")
 * @param today the day of the question, in days since 1970-01-01
 */
export function analyzeQuestion(question: string, earlier: string | null, today: number): Question {
  const languages = detectLanguages(question);
  const terms = new Map(contentTerms(question, languages).map((term) => [term.text, term]));
  for (const term of earlier === null ? [] : contentTerms(earlier, detectLanguages(earlier))) {
    if (!terms.has(term.text)) {
      terms.set(term.text, { text: term.text, share: term.share * earlierShare });
    }
  }
  const all = [...terms.values()].sort((a, b) => b.share - a.share);
  return {
    terms: all.slice(0, maxTerms),
    period: findPeriod(question, languages, today),
    isAboutTasks: asksForTasks(question, languages),
  };
}

/** Removes the stop words, unless nothing would be left. */
function contentTerms(question: string, languages: readonly string[]): Term[] {
  const text = question.normalize('NFC').toLowerCase();
  const stopWords = languages.map(getStopWords);
  const content = isUnspaced(languages[0])
    ? removeSubstrings(text, [...(stopWords[0] ?? [])])
    : text.replace(/[\p{L}\p{M}\p{N}']+/gu, (word) =>
        stopWords.some((words) => words.has(word)) ? ' ' : word,
      );
  const terms = extractTerms(content);
  return terms.length > 0 ? terms : extractTerms(question);
}

const isUnspaced = (language: string | undefined) =>
  language === 'zh' || language === 'ja' || language === 'th';

/**
 * Removes stop words from text without spaces. Single characters are kept, because they are part of too many other
 * words.
 */
function removeSubstrings(text: string, words: readonly string[]): string {
  const longest = words.filter((word) => [...word].length > 1).sort((a, b) => b.length - a.length);
  return longest.reduce((rest, word) => rest.replaceAll(word, ' '), text);
}
