/** Corrects recognized words to the names and terms of the owner's vocabulary. */
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
  readonly sound: string;
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
 * too.
 */
export function applyVocabulary(
  words: readonly RecognizedWord[],
  vocabulary: readonly string[],
): RecognizedWord[] {
  const entries = vocabulary.map((entry) => ({ words: entry.split(' '), sound: soundOf(entry) }));
  const matches = entries.flatMap((entry) => matchesOf(entry, words));
  // The closest match wins, and among equals the one that explains more words.
  matches.sort((a, b) => a.distance - b.distance || b.to - b.from - (a.to - a.from));
  const chosen: Match[] = [];
  for (const match of matches) {
    if (chosen.every(({ from, to }) => match.to <= from || to <= match.from)) chosen.push(match);
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

function matchesOf(entry: Entry, words: readonly RecognizedWord[]): Match[] {
  const matches: Match[] = [];
  const maxWords = entry.words.length + MAX_EXTRA_WORDS;
  for (let from = 0; from < words.length; from += 1) {
    let sound = '';
    for (let to = from + 1; to <= Math.min(words.length, from + maxWords); to += 1) {
      const word = words[to - 1] as RecognizedWord;
      if (word.confidence >= limits.minConfidence) break;
      sound += soundOf(word.text);
      const distance = soundDistance(entry.sound, sound);
      if (distance <= maxDistance(entry.sound)) matches.push({ entry, from, to, distance });
      // A replacement doesn't cross the end of a sentence or clause.
      if (/[\p{P}--['’\-]]$/v.test(word.text)) break;
    }
  }
  return matches;
}

function maxDistance({ length }: string): number {
  return length < SHORTEST_SIMILAR ? 0 : MAX_DISTANCE;
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

/** The lowest total cost of edits that turn one sound into the other, divided by the length of the first. */
function soundDistance(expected: string, heard: string): number {
  const [a, b] = [[...expected], [...heard]];
  // A difference in length alone would exceed the maximum.
  if (Math.abs(a.length - b.length) * EXTRA_VOWEL_COST > MAX_DISTANCE * a.length) return Infinity;
  let row = [0];
  for (const letter of b) row.push((row.at(-1) as number) + extraCost(letter));
  for (const letter of a) {
    const next = [(row[0] as number) + extraCost(letter)];
    for (const [index, other] of b.entries()) {
      next.push(
        Math.min(
          (row[index] as number) + changeCost(letter, other),
          (row[index + 1] as number) + extraCost(letter),
          (next[index] as number) + extraCost(other),
        ),
      );
    }
    row = next;
  }
  return (row.at(-1) as number) / Math.max(1, a.length);
}

function extraCost(letter: string): number {
  return VOWELS.includes(letter) || letter === 'h' ? EXTRA_VOWEL_COST : 1;
}

function changeCost(a: string, b: string): number {
  if (a === b) return 0;
  if (VOWELS.includes(a) && VOWELS.includes(b)) return VOWEL_COST;
  return SIMILAR_LETTERS.some((group) => group.includes(a) && group.includes(b)) ? SIMILAR_COST : 1;
}
