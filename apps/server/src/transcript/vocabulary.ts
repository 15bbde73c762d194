/** Corrects recognized words to the names and terms of the owner's vocabulary. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fold } from '@linnet/contract/folding';
import { limits } from '@linnet/contract/limits';
import { entryWords } from '../providers/speech/entry-words.ts';
import type { RecognizedWord } from '../providers/speech/port.ts';

/**
 * Maximum distance between the sounds of an entry and of the words that it replaces, as a share of the entry's length.
 * On synthesized speech, the closest other words were at 0.31.
 */
const MAX_DISTANCE = 0.25;
/** Entries with fewer letters are only matched by words that sound the same, since many words are similar to them. */
const SHORTEST_SIMILAR = 4;
/** An unknown name is often recognized as several short words: "Marchetti" as "mark eddie". */
const MAX_EXTRA_WORDS = 3;

/** Costs of the edits between two sounds. A change of a consonant costs 1. */
const SIMILAR_COST = 0.35;
const VOWEL_COST = 0.3;
const EXTRA_VOWEL_COST = 0.5;

const VOWELS = 'aeiouy';
/** Letters that engines confuse, because they are formed at the same place, or are written for one another. */
const SIMILAR_LETTERS = ['pbfvw', 'td', 'szcxj', 'kgcqxh', 'mn', 'lr', 'jgi', 'wuo', 'jy'];

interface Entry {
  readonly words: readonly string[];
  readonly meter: SoundMeter;
}
/** An unsure word. */
interface UnsureWord {
  readonly sound: readonly string[];
  /** True if a sentence or clause ends after the word. A replacement doesn't cross this. */
  readonly endsClause: boolean;
}
/** Words from `from` up to but not including `to`, which sound like an entry. */
interface Match {
  readonly entry: Entry;
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/**
 * Replaces unsure words (below `limits.minConfidence`) that sound like an entry of the vocabulary. Other words never
 * change. A replacement has the time of the words that it replaces and their lowest confidence, because it is a guess
 * too. With many words and entries, this takes seconds, so that other work of the process comes between the entries.
 */
export async function applyVocabulary(
  words: readonly RecognizedWord[],
  vocabulary: readonly string[],
): Promise<RecognizedWord[]> {
  if (vocabulary.length === 0) return [...words];
  const unsure = words.map(({ text, confidence }) =>
    confidence < limits.minConfidence
      ? { sound: [...soundOf(text)], endsClause: /[\p{P}--['’\-]]$/v.test(text) }
      : null,
  );
  const starts = [...unsure.keys()].filter((index) => unsure[index] !== null);
  const matches: Match[] = [];
  for (const text of vocabulary) {
    await nextTurn();
    const entry = { words: text.split(' '), meter: createSoundMeter(soundOf(text)) };
    for (const from of starts) addMatchesAt(from, entry, unsure, matches);
  }
  // The closest match wins, and among equals the one that explains more words.
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
 * Adds the matches of an entry that begin with a word.
 * @param words null for sure words
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
    if (!word || !meter.hear(word.sound)) return;
    const distance = meter.distance();
    if (distance <= meter.maxDistance) matches.push({ entry, from, to, distance });
    if (word.endsClause) return;
  }
}

/** Puts an entry in the place of words. It keeps the punctuation around them and a possessive ending. */
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

/** Spells a text roughly as it sounds: in lower case, without accents, spaces and double or silent letters. */
function soundOf(text: string): string {
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

/** Compares sounds with the sound of an entry, letter by letter. */
interface SoundMeter {
  /** The maximum distance of a match. */
  readonly maxDistance: number;
  /** Starts a new comparison. */
  restart(): void;
  /** Adds letters. Returns false if neither these nor any further letters can be a match. */
  hear(letters: readonly string[]): boolean;
  /** The lowest total cost of edits that turn the letters into the entry, divided by the length of the entry. */
  distance(): number;
}

function createSoundMeter(sound: string): SoundMeter {
  const expected = [...sound];
  const maxDistance = expected.length < SHORTEST_SIMILAR ? 0 : MAX_DISTANCE;
  const maxCost = maxDistance * expected.length;
  /** Costs of a heard letter: as each letter of the entry, and as an extra letter. */
  const costs = new Map<string, { readonly change: Float64Array; readonly extra: number }>();
  const costsOf = (letter: string) => {
    let known = costs.get(letter);
    if (!known) {
      const change = Float64Array.from(expected, (other) => changeCost(other, letter));
      known = { change, extra: extraCost(letter) };
      costs.set(letter, known);
    }
    return known;
  };
  const missing = Float64Array.from(expected, extraCost);
  const firstRow = new Float64Array(expected.length + 1);
  for (const [index, cost] of missing.entries()) {
    firstRow[index + 1] = (firstRow[index] as number) + cost;
  }
  // The row of the edit-distance table for the letters heard so far, which is overwritten by that of the next letter.
  const row = firstRow.slice();
  return {
    maxDistance,
    restart() {
      for (let index = 0; index < row.length; index += 1) row[index] = firstRow[index] as number;
    },
    hear(letters) {
      for (const letter of letters) {
        const { change, extra } = costsOf(letter);
        let diagonal = row[0] as number;
        let left = diagonal + extra;
        let lowest = left;
        row[0] = left;
        for (let index = 0; index < change.length; index += 1) {
          const above = row[index + 1] as number;
          left = Math.min(
            diagonal + (change[index] as number),
            above + extra,
            left + (missing[index] as number),
          );
          row[index + 1] = left;
          diagonal = above;
          if (left < lowest) lowest = left;
        }
        // Further letters never lower the lowest cost.
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
