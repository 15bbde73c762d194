import { fold } from '@linnet/contract/folding';
import { stem } from '../providers/analysis/builtin/stem.ts';

/**
 * Splits text into the terms by which passages are found. The same rules apply in every language, so that neither a
 * passage nor a question has to declare its own: words of alphabetic scripts become stems, Thai is segmented by a
 * dictionary, and Chinese, Japanese and Korean are split into pairs of characters.
 */

/** A term and its share of the meaning of the word that it comes from, between 0 and 1. */
export interface Term {
  readonly text: string;
  readonly share: number;
}

/** Matches runs of one kind of script. Hiragana mostly spells endings and particles, but also some words. */
const unspaced = String.raw`[\p{Script=Thai}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}]`;
const runs = new RegExp(
  [
    String.raw`(?<thai>\p{Script=Thai}+)`,
    String.raw`(?<han>\p{Script=Han}+)`,
    String.raw`(?<kana>[\p{Script=Hiragana}\p{Script=Katakana}ー]+)`,
    String.raw`(?<hangul>\p{Script=Hangul}+)`,
    // A word of another script ends where one of these begins: "API를", "11月".
    String.raw`(?<word>(?!${unspaced})[\p{L}\p{N}](?:(?!${unspaced})[\p{L}\p{M}\p{N}])*)`,
  ].join('|'),
  'gu',
);

/** Share of a single ideograph. It is ambiguous, but often the only one that two synonyms have in common. */
const ideographShare = 0.4;
/** Share of pairs of hiragana. Most of them are endings. */
const kanaShare = 0.5;
/** Hiragana words up to this length are particles. */
const longestParticle = 2;

/** Arabic conjunctions, prepositions and the article at the beginning of a word. */
const arabicPrefixes = /^(?:[وف]?(?:ال|[بكل]ال|لل)|[وف](?=.{4}))/u;
/** Arabic endings: pronouns, plurals and the feminine. */
const arabicEndings = /(?:هما|كما|ها|هم|كم|نا|ات|ون|ين|ان|ته|تي|ه|ي)$/u;
/** The fewest letters of an Arabic stem. */
const arabicStem = 3;

let thaiSegmenter: Intl.Segmenter | undefined;

/** Returns the distinct terms of a text. A term that occurs several times has its largest share. */
export function termsOf(text: string): Term[] {
  const shares = new Map<string, number>();
  const add = (term: string, share = 1) => {
    if (share > (shares.get(term) ?? 0)) shares.set(term, share);
  };
  // Folding merges katakana with hiragana, so scripts are told apart before.
  for (const { groups = {} } of text.normalize('NFC').matchAll(runs)) {
    const { thai, han, kana, hangul, word } = groups;
    if (thai !== undefined) {
      thaiSegmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
      for (const { segment } of thaiSegmenter.segment(thai)) add(fold(segment));
    } else if (han !== undefined) {
      for (const each of han) add(each, ideographShare);
      for (const pair of pairsOf(han)) add(pair);
    } else if (kana !== undefined) {
      const isKatakana = /^[\p{Script=Katakana}ー]/u.test(kana);
      if (!isKatakana && kana.length <= longestParticle) continue;
      for (const pair of pairsOf(fold(kana))) add(pair, isKatakana ? 1 : kanaShare);
    } else if (hangul !== undefined) {
      for (const pair of pairsOf(fold(hangul))) add(pair);
    } else if (word !== undefined) add(wordStem(fold(word)));
  }
  return [...shares].map(([term, share]) => ({ text: term, share }));
}

/** Returns the term of paragraphs that a person said. @param term a term of the speaker's name */
export const speakerTerm = (term: string) => `speaker ${term}`;

/** Returns the pairs of neighboring characters, or the only character. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function wordStem(word: string): string {
  if (!/^\p{Script=Arabic}/u.test(word)) return stem(word);
  const bare = shorten(word, arabicPrefixes);
  return shorten(bare, arabicEndings);
}

/** Removes a match, unless too few letters would be left. */
function shorten(word: string, affix: RegExp): string {
  const rest = word.replace(affix, '');
  return rest.length >= arabicStem ? rest : word;
}

/**
 * Hashes a term to a signed 64-bit integer in decimal, for PostgreSQL's `bigint`. The account is part of the hash, so
 * that the index of one account's terms isn't searched for another's.
 */
export function hashTerm(accountId: string, term: string): string {
  const text = `${accountId}:${term}`;
  // Two 32-bit FNV-1a hashes with different offset bases, each finished as in MurmurHash3.
  let high = 0x811c9dc5;
  let low = 0x050c5d1f;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ (unit + index), 0x01000193);
  }
  return BigInt.asIntN(64, (BigInt(finish(high)) << 32n) | BigInt(finish(low))).toString();
}

/** MurmurHash3's finalizer, which spreads every bit over all others. */
function finish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
