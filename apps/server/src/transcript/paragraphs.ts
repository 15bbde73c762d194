/** Builds readable paragraphs from words with times. */
import { capitalize, isEnglishQuestion, spellEnglish } from './english.ts';

/** A word in a paragraph. Times are in seconds from the start of the recording. */
export interface TranscriptWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Confidence, from 0 (uncertain) to 1 (certain). */
  readonly confidence: number;
}

/** An input word with its speaker, if known. */
type SpokenWord = TranscriptWord & { readonly speaker?: string };

/**
 * A paragraph whose `content` is its `words` joined by `wordJoiner(language)`, so that both can be shown side by side.
 */
export interface TranscriptParagraph {
  readonly start: number;
  readonly end: number;
  readonly content: string;
  readonly words: readonly TranscriptWord[];
  /** Speaker label, unless speakers weren't separated. */
  readonly speaker?: string;
}

export interface ParagraphOptions {
  /** BCP 47 tag of the language. */
  readonly language: string;
  /** Whether the words already have capitals and punctuation. If not, they are added. */
  readonly punctuated: boolean;
}

/** Seconds of silence that end a sentence. Longer than a breath within a sentence (0.2–0.4 s). */
export const SENTENCE_PAUSE = 0.5;
/** Seconds of silence that end a paragraph of at least `PARAGRAPH_MIN_WORDS`. */
export const PARAGRAPH_PAUSE = 0.8;
/** Seconds of silence that end a paragraph of any length. */
export const LONG_PAUSE = 2;
/** A paragraph with fewer words ends only at a long pause, because many one-line paragraphs are hard to read. */
export const PARAGRAPH_MIN_WORDS = 8;
/** Maximum number of words in a paragraph, about a phone screen. A longer one is split at its longest pauses. */
export const PARAGRAPH_MAX_WORDS = 90;
/** Minimum words before a split at `PARAGRAPH_MAX_WORDS`. */
const PARAGRAPH_CUT_WORDS = 30;

const UNSPACED_LANGUAGE = /^(zh|ja|th|yue)\b/i;

/** Returns the separator between words, which is empty for Chinese, Japanese and Thai. */
export function wordJoiner(language: string): '' | ' ' {
  return UNSPACED_LANGUAGE.test(language) ? '' : ' ';
}

/**
 * Divides words (in chronological order) into paragraphs at pauses and speaker changes. If the engine doesn't
 * punctuate, each pause that ends a sentence gets a full stop before it (in English, a question mark where appropriate)
 * and a capital after it.
 */
export function toParagraphs(
  words: readonly SpokenWord[],
  options: ParagraphOptions,
): TranscriptParagraph[] {
  const normalizedWords = words.map(normalizeWord).filter((word) => word.text !== '');
  const punctuated = options.punctuated
    ? normalizedWords
    : punctuateSentences(normalizedWords, options.language);
  const joiner = wordJoiner(options.language);
  return divideAtPauses(punctuated).map((run) => {
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

/**
 * Rounds times to milliseconds (the finest resolution shown), and removes whitespace to make each word a single token.
 */
function normalizeWord(word: SpokenWord): SpokenWord {
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
  // Round the difference, because 2.9 - 2.1 isn't exactly 0.8 in floating point.
  return previous && next ? milliseconds(next.start - previous.end) : 0;
}

function divideAtPauses(words: readonly SpokenWord[]): SpokenWord[][] {
  const runs: SpokenWord[][] = [];
  let from = 0;
  for (let index = 1; index <= words.length; index += 1) {
    const pause = pauseBefore(words, index);
    const ends =
      index === words.length ||
      speakerChanges(words, index) ||
      pause >= LONG_PAUSE ||
      (pause >= PARAGRAPH_PAUSE && index - from >= PARAGRAPH_MIN_WORDS);
    if (!ends) continue;
    runs.push(...divideLong(words.slice(from, index)));
    from = index;
  }
  return runs;
}

/**
 * Splits a long run of words at its longest pause within the limits, or at the maximum length if there are no pauses.
 */
function divideLong(run: readonly SpokenWord[]): SpokenWord[][] {
  const parts: SpokenWord[][] = [];
  let from = 0;
  while (run.length - from > PARAGRAPH_MAX_WORDS) {
    const earliestCut = from + PARAGRAPH_CUT_WORDS;
    const latestCut = Math.min(from + PARAGRAPH_MAX_WORDS, run.length - PARAGRAPH_MIN_WORDS);
    let cut = earliestCut;
    for (let index = earliestCut + 1; index <= latestCut; index += 1) {
      if (pauseBefore(run, index) >= pauseBefore(run, cut)) cut = index;
    }
    parts.push(run.slice(from, cut));
    from = cut;
  }
  return [...parts, run.slice(from)];
}

/**
 * Adds punctuation and capitals to sentences. Runs before the division into paragraphs, because splitting a long
 * paragraph must not add a full stop.
 */
function punctuateSentences(words: readonly SpokenWord[], language: string): SpokenWord[] {
  const isEnglish = /^en\b/i.test(language);
  const written: SpokenWord[] = [];
  let from = 0;
  for (let index = 1; index <= words.length; index += 1) {
    const continues = pauseBefore(words, index) < SENTENCE_PAUSE && !speakerChanges(words, index);
    if (index < words.length && continues) continue;
    const sentence = words.slice(from, index);
    const isQuestion = isEnglish && isEnglishQuestion(sentence.map((word) => word.text));
    sentence.forEach((word, wordIndex) => {
      let text = isEnglish ? spellEnglish(word.text) : word.text;
      if (wordIndex === 0) text = capitalize(text);
      if (wordIndex === sentence.length - 1) text += isQuestion ? '?' : fullStop(language);
      written.push({ ...word, text });
    });
    from = index;
  }
  return written;
}

function fullStop(language: string): string {
  if (/^(zh|ja|yue)\b/i.test(language)) return '。';
  return /^th\b/i.test(language) ? '' : '.'; // Thai has no full stop.
}
