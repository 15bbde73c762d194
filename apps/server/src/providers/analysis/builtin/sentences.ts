/** Splits paragraphs into sentences with start times, and extracts the topic words of each sentence. */
import { wordJoiner } from '../../../transcript/paragraphs.ts';
import type { AnalysisParagraph } from '../port.ts';
import { type FoldedText, fold, foldWithOffsets } from './folded-text.ts';
import { getStopWords, primaryLanguage } from './language.ts';
import { languageData, measureWordPattern } from './languages/index.ts';

/** A sentence in a paragraph. */
export interface Sentence {
  readonly text: string;
  /** The text, normalized for cues. */
  readonly folded: FoldedText;
  readonly paragraph: AnalysisParagraph;
  /** Start in seconds: of the first word if word timings are known, otherwise of the paragraph. */
  readonly start: number;
  /** All words, in order and in lower case. */
  readonly words: readonly string[];
  /**
   * Runs of consecutive topic words in lower case, separated by stop words and punctuation (and by spaces in scripts
   * that don't put spaces between words).
   */
  readonly runs: readonly (readonly string[])[];
  /** The words, split into clauses at punctuation. */
  readonly clauses: readonly (readonly SpokenWord[])[];
}

/** A word in a sentence. */
export interface SpokenWord {
  /** The word in lower case. */
  readonly text: string;
  /** The topic word that it contains, or null. */
  readonly topic: string | null;
  /** Offset in the sentence's text. */
  readonly from: number;
}

/** Matches abbreviations after which Intl.Segmenter wrongly ends a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|jr|sr|bzw|ca|usw|z\.b|sra?|dra?|av|núm|mme|mlle|т\.е|т\.д|т\.п|г|ул)\.\s*$/iu;

/** Splits paragraphs into sentences, in order. Each sentence's `text` is a substring of its paragraph's text. */
export function splitSentences(
  paragraphs: readonly AnalysisParagraph[],
  language: string,
): Sentence[] {
  const sentenceSegmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const wordSegmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const stopWords = getStopWords(language);
  const splitRanges = primaryLanguage(language) === 'th' ? phraseRanges : sentenceRanges;
  return paragraphs.flatMap((paragraph) => {
    const getStart = startTimes(paragraph, language);
    const ranges = splitRanges(paragraph.text, sentenceSegmenter).flatMap((range) =>
      divideLongRange(paragraph.text, range),
    );
    return ranges.map(({ from, to }) => {
      const text = paragraph.text.slice(from, to);
      return {
        text,
        folded: foldWithOffsets(text),
        paragraph,
        start: getStart(from),
        ...extractTopicWords(text, wordSegmenter, stopWords, language),
      };
    });
  });
}

/** Returns a string's topic words, as in `Sentence.runs`. */
export function extractTopics(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return extractTopicWords(text, segmenter, getStopWords(language), language).runs.flat();
}

/** A range of a paragraph's text. */
interface TextRange {
  from: number;
  to: number;
}

/**
 * Maximum characters in a sentence. Without punctuation, a whole paragraph would be one sentence, and many cues take
 * quadratic time.
 */
const LONGEST_SENTENCE = 1000;

/** Splits a range that is too long, if possible at spaces. */
function divideLongRange(text: string, { from, to }: TextRange): TextRange[] {
  const ranges: TextRange[] = [];
  let start = from;
  while (to - start > LONGEST_SENTENCE) {
    const space = text.lastIndexOf(' ', start + LONGEST_SENTENCE);
    const end = space > start ? space : start + LONGEST_SENTENCE;
    ranges.push({ from: start, to: end });
    start = text[end] === ' ' ? end + 1 : end;
  }
  ranges.push({ from: start, to });
  return ranges;
}

function sentenceRanges(text: string, segmenter: Intl.Segmenter): TextRange[] {
  const ranges: TextRange[] = [];
  let from = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    const to = index + segment.length;
    if (to < text.length && ABBREVIATION.test(text.slice(from, to))) continue;
    const raw = text.slice(from, to);
    const leadingSpaces = raw.length - raw.trimStart().length;
    const trimmed = raw.trim();
    if (trimmed !== '')
      ranges.push({ from: from + leadingSpaces, to: from + leadingSpaces + trimmed.length });
    from = to;
  }
  return ranges;
}

/** Minimum number of characters in a separate Thai phrase. Shorter phrases are joined to the preceding phrase. */
const SHORTEST_PHRASE = 6;

/**
 * Splits Thai text at spaces, because Thai doesn't mark the end of sentences. Spaces next to numbers and short
 * fragments are ignored.
 */
function phraseRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  for (const { index, 0: word } of text.matchAll(/\S+/gu)) {
    const last = ranges.at(-1);
    const to = index + word.length;
    const lastText = last ? text.slice(last.from, last.to) : '';
    const belongsToLast =
      last && (/\d$/u.test(lastText) || /^[\d(]/u.test(word) || word.length < SHORTEST_PHRASE);
    if (belongsToLast) last.to = to;
    else ranges.push({ from: index, to });
  }
  return ranges;
}

function extractTopicWords(
  text: string,
  segmenter: Intl.Segmenter,
  stopWords: ReadonlySet<string>,
  language: string,
) {
  const joiner = wordJoiner(language);
  const measure = measureWordPattern(languageData(language));
  const words: string[] = [];
  const runs: string[][] = [];
  const clauses: SpokenWord[][] = [[]];
  let run: string[] = [];
  const endRun = () => {
    // A single Chinese character isn't a topic.
    if ([...run.join('')].length > 1) runs.push(run);
    run = [];
  };
  for (const { segment, isWordLike, index } of segmenter.segment(text)) {
    const word = segment.toLowerCase();
    if (isWordLike) {
      words.push(word);
      const topic = toTopic(word, language);
      const isTopic =
        topic !== '' &&
        !measure.test(fold(topic)) &&
        isTopicWord(topic, stopWords, joiner === '' ? 1 : 2);
      clauses.at(-1)?.push({ text: word, topic: isTopic ? topic : null, from: index });
      if (isTopic) run.push(topic);
      else endRun();
    } else if (word.trim() !== '' || joiner === '') {
      clauses.push([]);
      endRun();
    }
  }
  endRun();
  return { words, runs, clauses };
}

/** Matches Korean verb endings. */
const KOREAN_VERB = /(?:[다요까죠지게고서면]|니까|지만|는데|도록|려고)$/u;
/** Matches particles attached to Korean nouns. */
const KOREAN_PARTICLE =
  /(?<=..)(?:에서는|에서|에게|으로|까지|부터|한테|께서|하고|이랑|[은는이가을를의에로와과도만])$/u;

/**
 * Returns the topic that a word contains. Drops Japanese verbs and particles, Korean verbs, and the particles attached
 * to Korean nouns.
 */
function toTopic(word: string, language: string): string {
  const primary = primaryLanguage(language);
  if (primary === 'ja') return /\p{Script=Hiragana}$/u.test(word) ? '' : word;
  if (primary !== 'ko') return word;
  return KOREAN_VERB.test(word) ? '' : word.replace(KOREAN_PARTICLE, '');
}

function isTopicWord(word: string, stopWords: ReadonlySet<string>, shortest: number): boolean {
  if (stopWords.has(word) || /^[\p{N}.,:]+$/u.test(word)) return false;
  // In "i'll" and "that's", only the part before the apostrophe counts.
  const stem = word.split(/['’]/u)[0] ?? word;
  if (stopWords.has(stem)) return false;
  return [...word].length >= shortest;
}

/**
 * Returns a function that maps offsets in the paragraph's text to word start times. It must be called with ascending
 * offsets.
 */
function startTimes(paragraph: AnalysisParagraph, language: string): (offset: number) => number {
  const { words, text, start } = paragraph;
  const joiner = wordJoiner(language);
  if (!words || words.map((word) => word.text).join(joiner) !== text) return () => start;
  let index = 0;
  let wordOffset = 0;
  return (offset) => {
    for (; index < words.length; index += 1) {
      const { text: word, start: spoken } = words[index] as (typeof words)[number];
      if (wordOffset + word.length > offset) return spoken;
      wordOffset += word.length + joiner.length;
    }
    return start;
  };
}
