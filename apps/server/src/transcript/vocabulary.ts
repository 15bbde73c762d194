/** Corrects recognized words that sound like names and terms of the user's vocabulary. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fold } from '@linnet/contract/folding';
import { limits } from '@linnet/contract/limits';
import { entryWords } from '../providers/speech/entry-words.ts';
import type { RecognizedWord } from '../providers/speech/port.ts';

/**
 * Maximum phonetic distance between an entry and the words that it replaces, relative to the entry's length. On
 * synthesized speech, the closest unrelated words were at 0.31.
 */
const MAX_DISTANCE = 0.25;
/** Entries with fewer letters only match words that sound the same, because many words are similar to short entries. */
const SHORTEST_SIMILAR = 4;
/**
 * Maximum number of words in a match beyond the entry's own. An unknown name is often recognized as several short
 * words: "Marchetti" as "mark eddie".
 */
const MAX_EXTRA_WORDS = 3;

/** Cost of replacing a letter with a similar one (`SIMILAR_LETTERS`). Replacing any other consonant costs 1. */
const SIMILAR_COST = 0.35;
/** Cost of replacing a vowel with another vowel. */
const VOWEL_COST = 0.3;
/** Cost of inserting or removing a vowel or `h`. */
const EXTRA_VOWEL_COST = 0.5;

const VOWELS = 'aeiouy';
/**
 * Groups of letters that engines confuse, because they have the same place of articulation or alternative spellings.
 */
const SIMILAR_LETTERS = ['pbfvw', 'td', 'szcxj', 'kgcqxh', 'mn', 'lr', 'jgi', 'wuo', 'jy'];

interface Entry {
  readonly words: readonly string[];
  readonly meter: PhoneticMeter;
}
/** A word that was recognized with low confidence. */
interface UnsureWord {
  readonly sound: readonly string[];
  /** Whether a sentence or clause ends after the word. Replacements don't cross this boundary. */
  readonly endsClause: boolean;
}
/** The words `from` to `to` (exclusive), which sound like an entry. */
interface Match {
  readonly entry: Entry;
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/**
 * Replaces unsure words (below `limits.minConfidence`) that sound like an entry of the vocabulary. Other words never
 * change. A replacement has the time of the words that it replaces, and their lowest confidence, because it is a guess
 * too. With many words and entries, this takes seconds, so it yields to the event loop after each entry.
 */
export async function applyVocabulary(
  words: readonly RecognizedWord[],
  vocabulary: readonly string[],
): Promise<RecognizedWord[]> {
  if (vocabulary.length === 0) return [...words];
  const unsure = words.map(({ text, confidence }) =>
    confidence < limits.minConfidence
      ? { sound: [...toSound(text)], endsClause: /[\p{P}--['’\-]]$/v.test(text) }
      : null,
  );
  const starts = [...unsure.keys()].filter((index) => unsure[index] !== null);
  const matches: Match[] = [];
  for (const text of vocabulary) {
    await nextTurn();
    const entry = { words: text.split(' '), meter: createPhoneticMeter(toSound(text)) };
    for (const from of starts) addMatchesAt(from, entry, unsure, matches);
  }
  // The closest match wins, and in a tie the match that covers more words.
  matches.sort((a, b) => a.distance - b.distance || b.to - b.from - (a.to - a.from));
  const chosen: Match[] = [];
  const isReplaced = new Uint8Array(words.length);
  for (const match of matches) {
    if (isReplaced.subarray(match.from, match.to).includes(1)) continue;
    isReplaced.fill(1, match.from, match.to);
    chosen.push(match);
  }
  chosen.sort((a, b) => a.from - b.from);
  const corrected: RecognizedWord[] = [];
  let next = 0;
  for (const { entry, from, to } of chosen) {
    corrected.push(...words.slice(next, from), ...replace(words.slice(from, to), entry));
    next = to;
  }
  return [...corrected, ...words.slice(next)];
}

/**
 * Adds the matches of an entry that start at the word `from`.
 * @param words null for words recognized with confidence
 */
function addMatchesAt(
  from: number,
  entry: Entry,
  words: readonly (UnsureWord | null)[],
  matches: Match[],
): void {
  const { meter } = entry;
  const end = Math.min(words.length, from + entry.words.length + MAX_EXTRA_WORDS);
  meter.restart();
  for (let to = from + 1; to <= end; to += 1) {
    const word = words[to - 1];
    if (!word || !meter.add(word.sound)) return;
    const distance = meter.distance();
    if (distance <= meter.maxDistance) matches.push({ entry, from, to, distance });
    if (word.endsClause) return;
  }
}

/** Replaces words with an entry, keeping the punctuation around them and a possessive ending. */
function replace(replaced: readonly RecognizedWord[], { words }: Entry): RecognizedWord[] {
  const [first, last] = [replaced[0], replaced.at(-1)] as [RecognizedWord, RecognizedWord];
  const opening = /^[\p{P}\p{S}]*/u.exec(first.text)?.[0] ?? '';
  const closing = /(['’]s)?[\p{P}\p{S}]*$/u.exec(last.text)?.[0] ?? '';
  const written = words.map((word, index) => {
    const end = index === words.length - 1 && !word.endsWith(closing) ? closing : '';
    return `${index === 0 && !word.startsWith(opening) ? opening : ''}${word}${end}`;
  });
  const confidence = Math.min(...replaced.map((word) => word.confidence));
  return entryWords({ text: written.join(' '), start: first.start, end: last.end, confidence });
}

/**
 * Returns a rough phonetic spelling of a string: in lower case, without accents, spaces, and double or silent letters.
 */
function toSound(text: string): string {
  return fold(text)
    .replace(/'s\b/gu, 's')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/ph/g, 'f')
    .replace(/ck|q(u?)/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/c(?=[eiy])/g, 's')
    .replace(/c(?!h)/g, 'k')
    .replace(/gh(?=[^aeiou]|$)|(?<=[aeiou])h(?=[^aeiouy]|$)/g, '')
    .replace(/(.)\1+/gu, '$1');
}

/** Computes the edit distance between phonetic spellings and an entry, letter by letter. */
interface PhoneticMeter {
  /** The maximum distance of a match. */
  readonly maxDistance: number;
  /** Starts a new comparison. */
  restart(): void;
  /** Adds letters. Returns false if neither these nor any further letters can be a match. */
  add(letters: readonly string[]): boolean;
  /** The lowest total cost of edits that turn the letters into the entry, divided by the length of the entry. */
  distance(): number;
}

function createPhoneticMeter(sound: string): PhoneticMeter {
  const expected = [...sound];
  const maxDistance = expected.length < SHORTEST_SIMILAR ? 0 : MAX_DISTANCE;
  const maxCost = maxDistance * expected.length;
  /** Costs of each recognized letter: of replacing each letter of the entry with it, and of inserting it. */
  const costs = new Map<string, { readonly change: Float64Array; readonly extra: number }>();
  const getCosts = (letter: string) => {
    let letterCosts = costs.get(letter);
    if (!letterCosts) {
      const change = Float64Array.from(expected, (other) => changeCost(other, letter));
      letterCosts = { change, extra: extraCost(letter) };
      costs.set(letter, letterCosts);
    }
    return letterCosts;
  };
  const missing = Float64Array.from(expected, extraCost);
  const firstRow = new Float64Array(expected.length + 1);
  for (const [index, cost] of missing.entries()) {
    firstRow[index + 1] = (firstRow[index] as number) + cost;
  }
  // The row of the edit-distance table for the letters so far. Each further letter overwrites it with the next row.
  const row = firstRow.slice();
  return {
    maxDistance,
    restart() {
      for (let index = 0; index < row.length; index += 1) row[index] = firstRow[index] as number;
    },
    add(letters) {
      for (const letter of letters) {
        const { change, extra } = getCosts(letter);
        let diagonal = row[0] as number;
        let leftCost = diagonal + extra;
        let lowest = leftCost;
        row[0] = leftCost;
        for (let index = 0; index < change.length; index += 1) {
          const above = row[index + 1] as number;
          leftCost = Math.min(
            diagonal + (change[index] as number),
            above + extra,
            leftCost + (missing[index] as number),
          );
          row[index + 1] = leftCost;
          diagonal = above;
          if (leftCost < lowest) lowest = leftCost;
        }
        // Further letters can't reduce the lowest cost.
        if (lowest > maxCost) return false;
      }
      return true;
    },
    distance: () => (row[expected.length] as number) / Math.max(1, expected.length),
  };
}

function extraCost(letter: string): number {
  return VOWELS.includes(letter) || letter === 'h' ? EXTRA_VOWEL_COST : 1;
}

function changeCost(a: string, b: string): number {
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return VOWEL_COST;
  return SIMILAR_LETTERS.some((group) => group.includes(a) && group.includes(b)) ? SIMILAR_COST : 1;
}
