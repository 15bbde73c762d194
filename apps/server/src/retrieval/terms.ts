import { addToFnv, FNV_OFFSET_BASIS } from '@linnet/base';
import { fold } from '@linnet/contract/folding';
import { stem } from '../providers/analysis/builtin/stem.ts';

/**
 * Splits text into the index terms of passages and questions. The same rules apply to all languages, so the language
 * doesn't need to be known: words in alphabetic scripts are stemmed, Thai is segmented with a dictionary, and Chinese,
 * Japanese and Korean are split into pairs of characters (bigrams).
 */

/** An index term and its weight: how much of the word's meaning it carries, from 0 to 1. */
export interface Term {
  readonly text: string;
  readonly weight: number;
}

/** Matches runs of one kind of script. Hiragana mostly spells endings and particles, but also some words. */
const unspaced = String.raw`[\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]`;
const runs = new RegExp(
  [
    String.raw`(?<thai>\p{Script=Thai}+)`,
    String.raw`(?<han>\p{Script=Han}+)`,
    String.raw`(?<kana>[\p{Script=Hiragana}\p{Script=Katakana}ー]+)`,
    String.raw`(?<hangul>\p{Script=Hangul}+)`,
    // A word in another script ends where one of the scripts above starts: "API를", "11月".
    String.raw`(?<word>(?!${unspaced})[\p{L}\p{N}](?:(?!${unspaced})[\p{L}\p{M}\p{N}])*)`,
  ].join('|'),
  'gu',
);

/** Weight of a single ideograph. It is ambiguous, but often all that two synonyms have in common. */
const ideographWeight = 0.4;
/** Weight of a pair of hiragana. Most pairs are endings. */
const kanaWeight = 0.5;
/** Hiragana words up to this length are ignored as particles. */
const longestParticle = 2;

/** Arabic conjunctions, prepositions and the article at the start of a word. */
const arabicPrefixes = /^(?:[وف]?(?:ال|[بكل]ال|لل)|[وف](?=.{4}))/u;
/** Arabic endings: pronouns, plurals and the feminine. */
const arabicEndings = /(?:هما|كما|ها|هم|كم|نا|ات|ون|ين|ان|ته|تي|ه|ي)$/u;
/** Minimum number of letters of an Arabic stem. */
const arabicStem = 3;

let thaiSegmenter: Intl.Segmenter | undefined;

/** Returns the distinct terms of a text. A repeated term gets its largest weight. */
export function extractTerms(text: string): Term[] {
  const weights = new Map<string, number>();
  const add = (term: string, weight = 1) => {
    if (weight > (weights.get(term) ?? 0)) weights.set(term, weight);
  };
  // Distinguish scripts before folding, which merges katakana with hiragana.
  for (const { groups = {} } of text.normalize('NFC').matchAll(runs)) {
    const { thai, han, kana, hangul, word } = groups;
    if (thai !== undefined) {
      thaiSegmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
      for (const { segment } of thaiSegmenter.segment(thai)) add(fold(segment));
    } else if (han !== undefined) {
      for (const ideograph of han) add(ideograph, ideographWeight);
      for (const pair of createPairs(han)) add(pair);
    } else if (kana !== undefined) {
      const isKatakana = /^[\p{Script=Katakana}ー]/u.test(kana);
      if (!isKatakana && kana.length <= longestParticle) continue;
      for (const pair of createPairs(fold(kana))) add(pair, isKatakana ? 1 : kanaWeight);
    } else if (hangul !== undefined) {
      for (const pair of createPairs(fold(hangul))) add(pair);
    } else if (word !== undefined) add(wordStem(fold(word)));
  }
  return [...weights].map(([term, weight]) => ({ text: term, weight }));
}

/** Returns the index term for paragraphs spoken by a person. @param term a term of the speaker's name */
export const speakerTerm = (term: string) => `speaker ${term}`;

/** Returns the index term for paragraphs that contain a word for a concept. */
export const conceptTerm = (concept: string) => `concept ${concept}`;

/** Returns the pairs of neighboring characters, or the only character. */
function createPairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

const wordStem = (word: string) =>
  /^\p{Script=Arabic}/u.test(word) ? stemArabic(word) : stem(word);

/** Removes the article, prepositions and endings of a folded Arabic word. */
export function stemArabic(word: string): string {
  const withoutPrefix = shorten(word, arabicPrefixes);
  return shorten(withoutPrefix, arabicEndings);
}

/** Removes a match, unless too few letters would be left. */
function shorten(word: string, affix: RegExp): string {
  const rest = word.replace(affix, '');
  return rest.length >= arabicStem ? rest : word;
}

/**
 * Hashes a term to a signed 64-bit integer in decimal, for PostgreSQL's `bigint`. The account is part of the hash, so
 * index lookups only find the account's own terms.
 */
export function hashTerm(accountId: string, term: string): string {
  const text = `${accountId}:${term}`;
  // Two 32-bit FNV-1a hashes with different offset bases, each finished as in MurmurHash3.
  let high = FNV_OFFSET_BASIS;
  let low = 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = addToFnv(high, unit);
    low = addToFnv(low, unit + index);
  }
  return BigInt.asIntN(64, (BigInt(finish(high)) << 32n) | BigInt(finish(low))).toString();
}

/** MurmurHash3's finalizer: each input bit affects all output bits. @returns an unsigned 32-bit integer */
export function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
