import { wordJoiner } from '../../../transcript/paragraphs.ts';
import type { AnalysisParagraph } from '../port.ts';
import { primaryLanguage, stopwords } from './language.ts';
import { languageData, measureWord } from './languages/index.ts';
import { fold, type Plain, plainOf } from './plain.ts';

/** A sentence as it stands in its paragraph. */
export interface Sentence {
  readonly text: string;
  /** As cues read it. */
  readonly plain: Plain;
  readonly paragraph: AnalysisParagraph;
  /** Seconds: of its first word where words are known, else of its paragraph. */
  readonly start: number;
  /** All its words in lower case, in order. */
  readonly words: readonly string[];
  /** Runs of neighbouring words that carry a topic, in lower case: stop words and punctuation divide (spaces too, where a language writes none). */
  readonly runs: readonly (readonly string[])[];
}

/** Abbreviations after which Intl.Segmenter ends a sentence although none ends. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|mr|mrs|ms|dr|prof|st|no|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|jr|sr|bzw|ca|usw|z\.b|sra?|dra?|av|núm|mme|mlle|т\.е|т\.д|т\.п|г|ул)\.\s*$/iu;

/** Sentences of all paragraphs, in order. Each `text` is a part of its paragraph's text. */
export function splitSentences(
  paragraphs: readonly AnalysisParagraph[],
  language: string,
): Sentence[] {
  const sentenceSegmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  const wordSegmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const stop = stopwords(language);
  const divide = primaryLanguage(language) === 'th' ? phrases : ranges;
  return paragraphs.flatMap((paragraph) => {
    const startOf = startTimes(paragraph, language);
    return divide(paragraph.text, sentenceSegmenter).map(({ from, to }) => {
      const text = paragraph.text.slice(from, to);
      return {
        text,
        plain: plainOf(text),
        paragraph,
        start: startOf(from),
        ...topicWords(text, wordSegmenter, stop, language),
      };
    });
  });
}

/** The words of any text that carry a topic, as `Sentence.runs` has them. */
export function topicsIn(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  return topicWords(text, segmenter, stopwords(language), language).runs.flat();
}

function ranges(text: string, segmenter: Intl.Segmenter): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let from = 0;
  for (const { index, segment } of segmenter.segment(text)) {
    const to = index + segment.length;
    if (to < text.length && ABBREVIATION.test(text.slice(from, to))) continue;
    const raw = text.slice(from, to);
    const lead = raw.length - raw.trimStart().length;
    const trimmed = raw.trim();
    if (trimmed !== '') found.push({ from: from + lead, to: from + lead + trimmed.length });
    from = to;
  }
  return found;
}

/** Characters of the shortest Thai phrase that stands alone; a shorter one belongs to the one before. */
const SHORTEST_PHRASE = 6;

/** Thai ends no sentence in writing: a space does, unless a number or a fragment stands beside it. */
function phrases(text: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const { index, 0: word } of text.matchAll(/\S+/gu)) {
    const last = found.at(-1);
    const to = index + word.length;
    const before = last ? text.slice(last.from, last.to) : '';
    const joined =
      last && (/\d$/u.test(before) || /^[\d(]/u.test(word) || word.length < SHORTEST_PHRASE);
    if (joined) last.to = to;
    else found.push({ from: index, to });
  }
  return found;
}

function topicWords(
  text: string,
  segmenter: Intl.Segmenter,
  stop: ReadonlySet<string>,
  language: string,
) {
  const joiner = wordJoiner(language);
  const measure = measureWord(languageData(language));
  const words: string[] = [];
  const runs: string[][] = [];
  let run: string[] = [];
  const endRun = () => {
    // one Chinese character may be half a word, but says nothing alone
    if ([...run.join('')].length > 1) runs.push(run);
    run = [];
  };
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const word = segment.toLowerCase();
    if (isWordLike) {
      words.push(word);
      const topic = topicOf(word, language);
      if (topic !== '' && !measure.test(fold(topic)) && isTopic(topic, stop, joiner === '' ? 1 : 2))
        run.push(topic);
      else endRun();
    } else if (word.trim() !== '' || joiner === '') endRun();
  }
  endRun();
  return { words, runs };
}

/** Endings of Korean verbs, and particles that Korean writes onto a noun. */
const KOREAN_VERB = /(?:[다요까죠지게고서면]|니까|지만|는데|도록|려고)$/u;
const KOREAN_PARTICLE =
  /(?<=..)(?:에서는|에서|에게|으로|까지|부터|한테|께서|하고|이랑|[은는이가을를의에로와과도만])$/u;

/** The part of a word that names a topic: no Japanese verbs or particles, and Korean nouns without particles. */
function topicOf(word: string, language: string): string {
  const primary = primaryLanguage(language);
  if (primary === 'ja') return /\p{Script=Hiragana}$/u.test(word) ? '' : word;
  if (primary !== 'ko') return word;
  return KOREAN_VERB.test(word) ? '' : word.replace(KOREAN_PARTICLE, '');
}

function isTopic(word: string, stop: ReadonlySet<string>, shortest: number): boolean {
  if (stop.has(word) || /^[\p{N}.,:]+$/u.test(word)) return false;
  // "i'll", "that's": what stands before the apostrophe decides
  const stem = word.split(/['’]/u)[0] ?? word;
  if (stop.has(stem)) return false;
  return [...word].length >= shortest;
}

/** When the word at a place of the paragraph's text begins. Places must be asked for in order. */
function startTimes(paragraph: AnalysisParagraph, language: string): (offset: number) => number {
  const { words, text, start } = paragraph;
  const joiner = wordJoiner(language);
  if (!words || words.map((word) => word.text).join(joiner) !== text) return () => start;
  let index = 0;
  let at = 0;
  return (offset) => {
    for (; index < words.length; index += 1) {
      const { text: word, start: spoken } = words[index] as (typeof words)[number];
      if (at + word.length > offset) return spoken;
      at += word.length + joiner.length;
    }
    return start;
  };
}
