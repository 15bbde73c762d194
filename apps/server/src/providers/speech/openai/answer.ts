/** Reads what a service answers to a transcription: `verbose_json`, as various servers write it. */
import { type Bcp47, languages, toBcp47 } from '@linnet/contract/languages';
import { z } from 'zod';
import { wordJoiner } from '../../../transcript/paragraphs.ts';
import { UnreadableAnswer } from '../../openai/service.ts';
import type { RecognizedWord } from '../port.ts';

const word = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  /** Not OpenAI's own servers give it. */
  probability: z.number().nullish(),
});
const segment = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  /** Where some servers put them. */
  words: z.array(word).nullish(),
});
const answerSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(word).nullish(),
  segments: z.array(segment).nullish(),
});
type Answer = z.output<typeof answerSchema>;
type Word = z.output<typeof word>;
type Segment = z.output<typeof segment>;

/** The result of a piece. Times are seconds from its start. */
export interface PieceTranscript {
  readonly words: readonly RecognizedWord[];
  /** The one it says it heard, when it is one of ours; `null` for another one, `undefined` when it does not say. */
  readonly language: Bcp47 | null | undefined;
}

/** Used where a service gives no confidence: the word is marked neither as certain nor as a guess. */
const UNKNOWN_CONFIDENCE = 0.75;
/** With which Whisper itself takes a segment for silence (`no_speech_threshold`, `logprob_threshold`). */
const SILENT = { noSpeech: 0.6, logprob: -1 };

/**
 * @param seconds of the piece: times behind its end are set to it
 * @param asked the language that was asked for, if any
 * @throws {UnreadableAnswer}
 */
export function readAnswer(value: unknown, seconds: number, asked: Bcp47 | null): PieceTranscript {
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UnreadableAnswer(`no transcription: ${issue?.path.join('.')} ${issue?.code}`);
  }
  const answer = parsed.data;
  const language = languageOf(answer.language);
  const segments = answer.segments ?? [];
  const listed = answer.words?.length ? answer.words : segments.flatMap(({ words }) => words ?? []);
  if (answer.text.trim() !== '' && listed.length === 0 && segments.length === 0) {
    throw new UnreadableAnswer('a text without times');
  }
  const spoken = asked ?? language ?? 'en';
  const words =
    listed.length > 0 ? spell(listed, answer) : segments.flatMap((s) => divide(s, spoken));
  return {
    language,
    words: words
      .filter((heard) => !segmentOf(heard, segments, isSilent))
      .map((heard) => toWord(heard, segments, seconds))
      .filter(({ text }) => text !== '')
      .sort((a, b) => a.start - b.start),
  };
}

const names = new Map(
  languages.map(({ bcp47 }) => {
    const [primary = bcp47] = bcp47.split('-');
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(primary) ?? bcp47;
    return [name.toLowerCase(), bcp47];
  }),
);

/** `en`, `english` or `English`, as servers differ. */
function languageOf(said: string | null | undefined): PieceTranscript['language'] {
  if (!said) return undefined;
  return toBcp47(said) ?? names.get(said.toLowerCase()) ?? null;
}

/** The language as the service wants it: ISO 639-1. */
export function toIso639(language: Bcp47): string {
  return language.split('-')[0] as string;
}

/**
 * Words as spelled in the text: lists of words lack punctuation, and sometimes capitals. Words not found in the text
 * stay unchanged.
 */
function spell(words: readonly Word[], { text }: Answer): Word[] {
  const small = text.toLowerCase();
  // Lower case may be longer (İ): then places in one are none in the other.
  if (small.length !== text.length) return [...words];
  let from = 0;
  return words.map((heard) => {
    const bare = heard.word.trim();
    const at = small.indexOf(bare.toLowerCase(), from);
    if (bare === '' || at < 0 || at - from > FARTHEST) return heard;
    const before = /[^\s\p{L}\p{N}\p{M}]*$/u.exec(text.slice(from, at))?.[0] ?? '';
    const after = /^[^\s\p{L}\p{N}\p{M}]*/u.exec(text.slice(at + bare.length))?.[0] ?? '';
    const end = at + bare.length + after.length;
    from = end;
    return { ...heard, word: before + text.slice(at, end) };
  });
}
/** Characters of text that may lie between two words of the list: more is another place with the same word. */
const FARTHEST = 40;

/** Words of a segment without a list: each lasts as its letters are of the segment's. */
function divide({ text, start, end }: Segment, language: Bcp47): Word[] {
  const pieces = wordJoiner(language) === ' ' ? text.trim().split(/\s+/) : piecesOf(text, language);
  const letters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  let at = 0;
  return pieces.map((piece) => {
    const from = at;
    at += piece.length;
    const time = (letter: number) => start + ((end - start) * letter) / Math.max(1, letters);
    return { word: piece, start: time(from), end: time(at) };
  });
}

/** Words of a language that writes none apart, punctuation with the word before it. */
function piecesOf(text: string, language: Bcp47): string[] {
  const pieces: string[] = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(language, {
    granularity: 'word',
  }).segment(text.trim())) {
    if (isWordLike || pieces.length === 0) pieces.push(segment);
    else pieces.push((pieces.pop() ?? '') + segment);
  }
  return pieces;
}

function isSilent({ no_speech_prob, avg_logprob }: Segment): boolean {
  return (no_speech_prob ?? 0) > SILENT.noSpeech && (avg_logprob ?? 0) < SILENT.logprob;
}

/** The segment around the middle of a word, if there is one that will do. */
function segmentOf(
  { start, end }: Word,
  segments: readonly Segment[],
  accepts: (segment: Segment) => boolean = () => true,
): Segment | undefined {
  const middle = (start + end) / 2;
  return segments.find((one) => one.start <= middle && middle <= one.end && accepts(one));
}

function toWord(heard: Word, segments: readonly Segment[], seconds: number): RecognizedWord {
  const confidence = heard.probability ?? confidenceOf(segmentOf(heard, segments));
  const start = within(heard.start, 0, seconds);
  return {
    // Marks of noises are not part of a word.
    text: heard.word.replace(/[\s<>[\]()♪]/gu, ''),
    start,
    end: within(heard.end, start, seconds),
    confidence: within(confidence, 0, 1),
  };
}

/** The mean probability of its tokens, and that there was speech at all. */
function confidenceOf(segment: Segment | undefined): number {
  if (typeof segment?.avg_logprob !== 'number') return UNKNOWN_CONFIDENCE;
  return Math.exp(segment.avg_logprob) * (1 - (segment.no_speech_prob ?? 0));
}

function within(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
