/**
 * Words with times become paragraphs that a person can read. Pure: same words
 * in, same paragraphs out.
 */
import { capitalise, isEnglishQuestion, spellEnglish } from './english.ts';

/** A word as it stands in a paragraph. Times are seconds from the start of the recording. */
export interface TranscriptWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** 0 (a guess) to 1 (sure). */
  readonly confidence: number;
}

/** A word as it comes in, with who says it where that is known. */
type SpokenWord = TranscriptWord & { readonly speaker?: string };

/** `content` is `words` joined by `wordJoiner(language)`, so both can be shown side by side. */
export interface TranscriptParagraph {
  readonly start: number;
  readonly end: number;
  readonly content: string;
  readonly words: readonly TranscriptWord[];
  /** Whoever says all of it; absent where speakers are not told apart. */
  readonly speaker?: string;
}

export interface ParagraphOptions {
  /** BCP-47. */
  readonly language: string;
  /** Whether the words already carry capitals and punctuation; then nothing is added to them. */
  readonly punctuated: boolean;
}

/** Seconds of silence that end a sentence: longer than a breath inside one (0.2–0.4 s). */
export const SENTENCE_PAUSE = 0.5;
/** Seconds of silence that end a paragraph once it has some length. */
export const PARAGRAPH_PAUSE = 0.8;
/** Seconds of silence that end a paragraph however short it is. */
export const LONG_PAUSE = 2;
/** Words below which only a long pause ends a paragraph: lists of one-line paragraphs read badly. */
export const PARAGRAPH_MIN_WORDS = 8;
/** A paragraph beyond this is divided at its longest pauses: one screen of a phone. */
export const PARAGRAPH_MAX_WORDS = 90;
/** The least such a division leaves before the cut. */
const PARAGRAPH_CUT_WORDS = 30;

const UNSPACED = /^(zh|ja|th|yue)\b/i;

/** What stands between two words of a language: nothing in Chinese, Japanese and Thai. */
export function wordJoiner(language: string): '' | ' ' {
  return UNSPACED.test(language) ? '' : ' ';
}

/**
 * Divides words (in order of time) into paragraphs at pauses and where the
 * speaker changes, and writes sentences where the engine gave bare words: a
 * capital after each pause that ends a sentence, a full stop (English: or a
 * question mark) before it.
 */
export function toParagraphs(
  words: readonly SpokenWord[],
  options: ParagraphOptions,
): TranscriptParagraph[] {
  const tidied = words.map(tidy).filter((word) => word.text !== '');
  const written = options.punctuated ? tidied : writeSentences(tidied, options.language);
  const joiner = wordJoiner(options.language);
  return divide(written).map((run) => {
    const [first, last] = [run[0], run.at(-1)] as [SpokenWord, SpokenWord];
    return {
      start: first.start,
      end: last.end,
      content: run.map((word) => word.text).join(joiner),
      words: run.map(({ speaker: _, ...word }) => word),
      ...(first.speaker !== undefined && { speaker: first.speaker }),
    };
  });
}

/** Milliseconds are as fine as a time is shown; a word never holds white space, so that it stays one token. */
function tidy(word: SpokenWord): SpokenWord {
  return {
    ...word,
    text: word.text.replace(/\s+/gu, ''),
    start: milliseconds(word.start),
    end: milliseconds(Math.max(word.start, word.end)),
    confidence: Math.min(1, Math.max(0, word.confidence)),
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function speakerChanges(words: readonly SpokenWord[], index: number): boolean {
  return words[index - 1]?.speaker !== words[index]?.speaker;
}

function pauseBefore(words: readonly TranscriptWord[], index: number): number {
  const [previous, next] = [words[index - 1], words[index]];
  // rounded: 2.9 - 2.1 must be 0.8, whatever floating point makes of it
  return previous && next ? milliseconds(next.start - previous.end) : 0;
}

function divide(words: readonly SpokenWord[]): SpokenWord[][] {
  const runs: SpokenWord[][] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    const pause = pauseBefore(words, at);
    const ends =
      at === words.length ||
      speakerChanges(words, at) ||
      pause >= LONG_PAUSE ||
      (pause >= PARAGRAPH_PAUSE && at - from >= PARAGRAPH_MIN_WORDS);
    if (!ends) continue;
    runs.push(...divideLong(words.slice(from, at)));
    from = at;
  }
  return runs;
}

/** Cuts off one paragraph after another at the longest pause within reach; speech without any, at the limit. */
function divideLong(run: readonly SpokenWord[]): SpokenWord[][] {
  const parts: SpokenWord[][] = [];
  let from = 0;
  while (run.length - from > PARAGRAPH_MAX_WORDS) {
    const nearest = from + PARAGRAPH_CUT_WORDS;
    const farthest = Math.min(from + PARAGRAPH_MAX_WORDS, run.length - PARAGRAPH_MIN_WORDS);
    let cut = nearest;
    for (let at = nearest + 1; at <= farthest; at += 1) {
      if (pauseBefore(run, at) >= pauseBefore(run, cut)) cut = at;
    }
    parts.push(run.slice(from, cut));
    from = cut;
  }
  return [...parts, run.slice(from)];
}

/** Sentences go across paragraphs: where a paragraph was cut only for its length, no stop is invented. */
function writeSentences(words: readonly SpokenWord[], language: string): SpokenWord[] {
  const english = /^en\b/i.test(language);
  const written: SpokenWord[] = [];
  let from = 0;
  for (let at = 1; at <= words.length; at += 1) {
    const goesOn = pauseBefore(words, at) < SENTENCE_PAUSE && !speakerChanges(words, at);
    if (at < words.length && goesOn) continue;
    const sentence = words.slice(from, at);
    const asks = english && isEnglishQuestion(sentence.map((word) => word.text));
    sentence.forEach((word, index) => {
      let text = english ? spellEnglish(word.text) : word.text;
      if (index === 0) text = capitalise(text);
      if (index === sentence.length - 1) text += asks ? '?' : fullStop(language);
      written.push({ ...word, text });
    });
    from = at;
  }
  return written;
}

function fullStop(language: string): string {
  if (/^(zh|ja|yue)\b/i.test(language)) return '。';
  return /^th\b/i.test(language) ? '' : '.'; // Thai writes no full stop
}
