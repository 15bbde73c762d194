import { fold } from '@linnet/contract/folding';
import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemArabic } from '../terms.ts';

/** An occurrence of a concept in a text. */
export interface ConceptMatch {
  readonly concept: string;
  /** The words that mean the concept, in lower case. */
  readonly text: string;
}

/** The words of one language, in which occurrences are found. */
export interface Column {
  /** Returns the occurrences of concepts. @param text in lower case and Unicode normalization form C */
  find(text: string): ConceptMatch[];
}

/** A word or phrase, and its concept. */
export interface Entry {
  readonly word: string;
  readonly concept: string;
}

/** Matches words in scripts with spaces between words. A word ends where another script starts: "API를", "11月". */
const spacedWords =
  /[[\p{L}\p{M}\p{N}]--[\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]]+/gv;

/**
 * Stems by language. The stem of {@link extractTerms}, a word's first five letters, is too short to tell concepts apart:
 * "contract" and "control" have the same.
 */
const stemmers: Readonly<Record<string, (word: string) => string>> = {
  ar: (word) => stemArabic(fold(word)),
  en: stemEnglish,
  es: stemSpanish,
  fr: stemFrench,
  // Singular and plural differ: "reunião", "reuniões".
  pt: (word) => stemPortuguese(word).replace(/[ãõ]$/u, ''),
  ru: stemRussian,
};

/** Number of words whose stems are remembered. Most words of a text are among the most frequent ones of its language. */
const maxRemembered = 10_000;

/** Returns a function for folded stems that remembers those of many words, because computing one takes 20 µs. */
function remember(stem: (word: string) => string): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const remembered = known.get(word);
    if (remembered !== undefined) return remembered;
    if (known.size >= maxRemembered) known.clear();
    const folded = fold(stem(word));
    known.set(word, folded);
    return folded;
  };
}

/** Creates the column of a language with spaces between words. Inflected forms of the words match as well. */
export function createSpacedColumn(language: string, entries: readonly Entry[]): Column {
  const stem = remember(stemmers[language] ?? ((word) => word));
  /** Returns the folded stems of a text's words, with the words. */
  const split = (text: string) =>
    [...text.matchAll(spacedWords)].map(([word]) => ({ word, stem: stem(word) }));
  const concepts = new Map<string, Set<string>>();
  /** The number of words in the longest phrase that starts with a stem. */
  const longest = new Map<string, number>();
  for (const { word, concept } of entries) {
    const stems = split(word).map((part) => part.stem);
    const first = stems[0] ?? '';
    longest.set(first, Math.max(longest.get(first) ?? 0, stems.length));
    addTo(concepts, stems.join(' '), concept);
  }
  return {
    find(text) {
      const words = split(text);
      const matches: ConceptMatch[] = [];
      for (let at = 0; at < words.length; ) {
        let count = Math.min(longest.get(words[at]?.stem ?? '') ?? 0, words.length - at);
        let found: ReadonlySet<string> | undefined;
        for (; count > 0; count -= 1) {
          const phrase = words.slice(at, at + count);
          found = concepts.get(phrase.map((part) => part.stem).join(' '));
          if (found === undefined) continue;
          const text = phrase.map(({ word }) => word).join(' ');
          for (const concept of found) matches.push({ concept, text });
          break;
        }
        at += Math.max(1, count);
      }
      return matches;
    },
  };
}

/** Returns whether a word may stand between two offsets of a text. */
type Fits = (text: string, start: number, end: number, previousEnd: number) => boolean;

/** Number of Korean syllables of a word that may start anywhere. Shorter words often cross the words of a compound. */
const longKorean = 3;
/** Number of katakana of a word that may end anywhere. Shorter words are often part of another: パン, パンフレット. */
const longKatakana = 4;

/** Rules against words that are found across or within other words, by language. */
const rules: Readonly<Record<string, () => Fits>> = {
  ja: () => {
    const isWord = createBoundaryCheck('ja');
    return (text, start, end) => {
      const word = text.slice(start, end);
      if (/^\p{Script=Hiragana}+$/u.test(word)) return isWord(text, start, end);
      if (word.length >= longKatakana || !/^[\p{Script=Katakana}ー]+$/u.test(word)) return true;
      return !/^[\p{Script=Katakana}ー]/u.test(text.slice(end, end + 1));
    };
  },
  ko: () => (text, start, end, previousEnd) =>
    start === previousEnd ||
    end - start >= longKorean ||
    !/^\p{Script=Hangul}/u.test(text.slice(start - 1, start)),
  th: () => {
    const isWord = createBoundaryCheck('th');
    return (text, start, end) => isWord(text, start, end);
  },
  zh: () => () => true,
};

/** Returns a check of whether the offsets are boundaries of words according to the dictionary of a language. */
function createBoundaryCheck(language: string) {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  let [segmented, boundaries] = ['', new Set<number>()];
  return (text: string, start: number, end: number): boolean => {
    if (text !== segmented) {
      segmented = text;
      boundaries = new Set([...segmenter.segment(text)].map(({ index }) => index)).add(text.length);
    }
    return boundaries.has(start) && boundaries.has(end);
  };
}

/** Creates the column of a language without spaces, or with endings that follow without one. */
export function createUnspacedColumn(language: string, entries: readonly Entry[]): Column {
  const fits = (rules[language] ?? (() => () => true))();
  const concepts = new Map<string, Set<string>>();
  for (const { word, concept } of entries) addTo(concepts, word, concept);
  /** The words by their first character, longest first. */
  const byFirst = Map.groupBy(
    [...concepts.keys()].sort((a, b) => b.length - a.length),
    (word) => word.charAt(0),
  );
  return {
    find(text) {
      const matches: ConceptMatch[] = [];
      let previousEnd = 0;
      for (let at = 0; at < text.length; ) {
        const start = at;
        const word = byFirst
          .get(text.charAt(start))
          ?.find(
            (candidate) =>
              text.startsWith(candidate, start) &&
              fits(text, start, start + candidate.length, previousEnd),
          );
        at += word?.length ?? 1;
        if (word === undefined) continue;
        previousEnd = at;
        for (const concept of concepts.get(word) ?? []) matches.push({ concept, text: word });
      }
      return matches;
    },
  };
}

function addTo(concepts: Map<string, Set<string>>, key: string, concept: string): void {
  const known = concepts.get(key);
  if (known) known.add(concept);
  else concepts.set(key, new Set([concept]));
}
