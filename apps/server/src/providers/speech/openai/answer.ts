/** Parses transcription responses: `verbose_json` and `json` in the variants that different servers send. */
import { type Bcp47, languages, toBcp47 } from '@linnet/contract/languages';
import { z } from 'zod';
import { UnreadableResponse } from '../../openai/service.ts';
import type { SpeechSegment } from '../../voice/port.ts';
import type { RecognizedWord } from '../port.ts';
import { spreadText } from './spread.ts';

const wordSchema = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  /** Confidence, which OpenAI itself doesn't send. */
  probability: z.number().nullish(),
});
const segmentSchema = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  avg_logprob: z.number().nullish(),
  no_speech_prob: z.number().nullish(),
  /** The segment's words, which some servers send instead of the top-level list. */
  words: z.array(wordSchema).nullish(),
});
const responseSchema = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(wordSchema).nullish(),
  segments: z.array(segmentSchema).nullish(),
});
type Response = z.output<typeof responseSchema>;
type Word = z.output<typeof wordSchema>;
type Segment = z.output<typeof segmentSchema>;

/** A piece's transcript. Times are in seconds from the start of the piece. */
export interface PieceTranscript {
  readonly words: readonly RecognizedWord[];
  /** False if the times are estimates, because the service returned none. */
  readonly isTimed: boolean;
  /** Detected language: `null` if unsupported, `undefined` if the response doesn't name one. */
  readonly language: Bcp47 | null | undefined;
}

/** Confidence assumed if the service returns none: neither certain nor a guess. */
const UNKNOWN_CONFIDENCE = 0.75;
/** Whisper's own thresholds for silent segments (`no_speech_threshold`, `logprob_threshold`). */
const SILENCE_THRESHOLDS = { noSpeech: 0.6, logprob: -1 };

/**
 * Parses the response for one piece.
 * @param seconds duration of the piece; later times are clamped to it
 * @param requested the requested language, if any
 * @param speech speech segments in the piece, used for text without timestamps. By default, the whole piece.
 * @throws UnreadableResponse
 */
export function parseTranscription(
  value: unknown,
  seconds: number,
  requested: Bcp47 | null,
  speech: readonly SpeechSegment[] = [{ start: 0, end: seconds }],
): PieceTranscript {
  const parsed = responseSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UnreadableResponse(`invalid transcription: ${issue?.path.join('.')} ${issue?.code}`);
  }
  const response = parsed.data;
  const language = parseLanguage(response.language);
  const segments = response.segments ?? [];
  const listedWords = response.words?.length
    ? response.words
    : segments.flatMap(({ words }) => words ?? []);
  const isTimed = response.text.trim() === '' || listedWords.length > 0 || segments.length > 0;
  const spokenLanguage = requested ?? language ?? undefined;
  const words = () => {
    if (!isTimed) return spreadText(response.text, speech, spokenLanguage);
    if (listedWords.length > 0) return restoreSpelling(listedWords, response);
    return segments.flatMap((segment) => spreadText(segment.text, [segment], spokenLanguage));
  };
  return {
    language,
    isTimed,
    words: words()
      .filter((timedWord) => !findSegment(timedWord, segments, isSilent))
      .map((timedWord) => toWord(timedWord, segments, seconds))
      .filter(({ text }) => text !== '')
      .sort((a, b) => a.start - b.start),
  };
}

const languagesByName = new Map(
  languages.map(({ bcp47 }) => {
    const [primary = bcp47] = bcp47.split('-');
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(primary) ?? bcp47;
    return [name.toLowerCase(), bcp47];
  }),
);

/** Accepts `en`, `english` and `English`, because servers differ. */
function parseLanguage(value: string | null | undefined): PieceTranscript['language'] {
  if (!value) return undefined;
  return toBcp47(value) ?? languagesByName.get(value.toLowerCase()) ?? null;
}

/** Returns the ISO 639-1 code that the service expects. */
export function toIso639(language: Bcp47): string {
  return language.split('-')[0] as string;
}

/**
 * Replaces words with their spelling in the text, because word lists lack punctuation and sometimes capitals. Words
 * that aren't found in the text are unchanged.
 */
function restoreSpelling(words: readonly Word[], { text }: Response): Word[] {
  const lowerCase = text.toLowerCase();
  // The lowercase text can be longer (İ). Then, offsets don't match.
  if (lowerCase.length !== text.length) return [...words];
  let from = 0;
  return words.map((timedWord) => {
    const trimmed = timedWord.word.trim();
    const start = lowerCase.indexOf(trimmed.toLowerCase(), from);
    if (trimmed === '' || start < 0 || start - from > MAX_DISTANCE) return timedWord;
    const leading = /[^\s\p{L}\p{N}\p{M}]*$/u.exec(text.slice(from, start))?.[0] ?? '';
    const trailing = /^[^\s\p{L}\p{N}\p{M}]*/u.exec(text.slice(start + trimmed.length))?.[0] ?? '';
    const end = start + trimmed.length + trailing.length;
    from = end;
    return { ...timedWord, word: leading + text.slice(start, end) };
  });
}
/** Maximum characters between two listed words. A match farther away must be another occurrence. */
const MAX_DISTANCE = 40;

function isSilent({ no_speech_prob, avg_logprob }: Segment): boolean {
  return (
    (no_speech_prob ?? 0) > SILENCE_THRESHOLDS.noSpeech &&
    (avg_logprob ?? 0) < SILENCE_THRESHOLDS.logprob
  );
}

/** Returns the first accepted segment that contains a word's midpoint. */
function findSegment(
  { start, end }: Word,
  segments: readonly Segment[],
  accepts: (segment: Segment) => boolean = () => true,
): Segment | undefined {
  const middle = (start + end) / 2;
  return segments.find(
    (candidate) => candidate.start <= middle && middle <= candidate.end && accepts(candidate),
  );
}

function toWord(timedWord: Word, segments: readonly Segment[], seconds: number): RecognizedWord {
  const confidence = timedWord.probability ?? computeConfidence(findSegment(timedWord, segments));
  const start = clamp(timedWord.start, 0, seconds);
  return {
    // Strip the characters of noise markers.
    text: timedWord.word.replace(/[\s<>[\]()♪]/gu, ''),
    start,
    end: clamp(timedWord.end, start, seconds),
    confidence: clamp(confidence, 0, 1),
  };
}

/** Returns the segment's mean token probability, multiplied by the probability of speech. */
function computeConfidence(segment: Segment | undefined): number {
  if (typeof segment?.avg_logprob !== 'number') return UNKNOWN_CONFIDENCE;
  return Math.exp(segment.avg_logprob) * (1 - (segment.no_speech_prob ?? 0));
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
