/** Converts an engine's result for a slice into words with times and confidences. */
import { roundToMilliseconds } from '../../milliseconds.ts';
import type { SliceResult } from '../../sherpa/protocol.ts';
import type { RecognizedWord } from '../port.ts';

/** A slice's position in the recording, in seconds. */
export interface SliceTime {
  readonly start: number;
  readonly end: number;
}

/**
 * Matches non-speech markers such as `<|zh|>`, `<unk>` and `[NOISE]`, but not `<0xE4>`, which is one byte of a
 * character.
 */
const MARKER = /<\|[^|>]*\|>|<(?!0x)[a-z/_]+>|\[[A-Z_ ]+\]/g;
/** Matches a token for one byte of a character that isn't in the vocabulary. */
const BYTE = /^<0x([0-9A-F]{2})>$/;
/** Matches the engines' prefix for a token that starts a word. */
const WORD_START = /\u2581/g;
/** Matches characters that software reading transcripts could mistake for markup. */
const BRACKETS = /[<>[\]()]/g;
/** Matches characters in scripts without spaces between words. */
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HAS_LETTER = /[\p{L}\p{N}]/u;
/** Assumed duration in seconds of a word's last token if the engine returns no durations: about one syllable. */
const SYLLABLE = 0.24;

/** A character with the index of its token. Times are in seconds from the start of the slice. */
interface Letter {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly token: number;
}

/** @param language BCP 47 tag, used to segment text without spaces */
export function toWords(result: SliceResult, time: SliceTime, language: string): RecognizedWord[] {
  const letters = timedLetters(result, time.end - time.start) ?? spreadLetters(result, time);
  return removeOverlaps(
    groupIntoWords(letters, language).map((word) => ({
      text: word
        .map(({ text }) => text)
        .join('')
        .replace(BRACKETS, ''),
      start: time.start + (word[0] as Letter).start,
      end: time.start + (word.at(-1) as Letter).end,
      confidence: computeConfidence(word, result.ys_log_probs),
    })),
    time,
  );
}

/** Returns characters with the timestamps of their tokens, or null if the engine returns none. */
function timedLetters({ tokens, timestamps, durations }: SliceResult, length: number) {
  if (tokens.length === 0 || timestamps.length !== tokens.length) return null;
  const letters: Letter[] = [];
  for (const [token, piece] of joinBytes(tokens).entries()) {
    const text = clean(piece);
    const start = timestamps[token] as number;
    const next = timestamps[token + 1] ?? length;
    const end = start + (durations[token] ?? Math.min(SYLLABLE, Math.max(0, next - start)));
    for (const letter of text) letters.push({ text: letter, start, end, token });
  }
  // The byte tokens couldn't be decoded, so only the text is usable.
  return letters.some(({ text }) => text === '\uFFFD') ? null : letters;
}

/** Spreads characters evenly over the slice, for engines that return only text. */
function spreadLetters({ text }: SliceResult, time: SliceTime): Letter[] {
  const characters = [...clean(text)];
  const characterSeconds = (time.end - time.start) / Math.max(1, characters.length);
  return characters.map((character, index) => ({
    text: character,
    start: index * characterSeconds,
    end: (index + 1) * characterSeconds,
    token: -1,
  }));
}

/**
 * Decodes runs of byte tokens. The first token of a run is replaced by the decoded text, and the remaining tokens
 * become empty.
 */
function joinBytes(tokens: readonly string[]): string[] {
  const merged = [...tokens];
  for (let from = 0; from < tokens.length; from += 1) {
    const bytes: number[] = [];
    for (let index = from; index < tokens.length; index += 1) {
      const byte = BYTE.exec(tokens[index] as string)?.[1];
      if (byte === undefined) break;
      bytes.push(Number.parseInt(byte, 16));
    }
    if (bytes.length === 0) continue;
    merged[from] = new TextDecoder().decode(Uint8Array.from(bytes));
    for (let index = from + 1; index < from + bytes.length; index += 1) merged[index] = '';
    from += bytes.length - 1;
  }
  return merged;
}

function clean(text: string): string {
  return text.replace(WORD_START, ' ').replace(MARKER, '');
}

/** Groups characters into words: at spaces, or in scripts without spaces by the language's dictionary. */
function groupIntoWords(letters: readonly Letter[], language: string): Letter[][] {
  const words: Letter[][] = [];
  let run: Letter[] = [];
  const close = () => {
    for (const word of divideRun(run, language)) {
      const isWord = word.some(({ text }) => HAS_LETTER.test(text));
      const last = words.at(-1);
      // Attach detached punctuation to the preceding word.
      if (!isWord && last) last.push(...word);
      else if (isWord) words.push(word);
    }
    run = [];
  };
  for (const letter of letters) {
    if (/\s/u.test(letter.text)) close();
    else run.push(letter);
  }
  close();
  return words;
}

function divideRun(run: Letter[], language: string): Letter[][] {
  if (run.length === 0) return [];
  if (!run.some(({ text }) => UNSPACED_SCRIPT.test(text))) return [run];
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const parts: Letter[][] = [];
  let index = 0;
  for (const { segment } of segmenter.segment(run.map(({ text }) => text).join(''))) {
    const count = [...segment].length;
    parts.push(run.slice(index, index + count));
    index += count;
  }
  return parts;
}

/** Returns the geometric mean of the probabilities of the word's tokens, or 1 if the engine returns none. */
function computeConfidence(word: readonly Letter[], logProbs: readonly number[]): number {
  const tokens = [...new Set(word.map(({ token }) => token))];
  const tokenLogProbs = tokens.flatMap((token) => logProbs[token] ?? []);
  if (tokenLogProbs.length === 0) return 1;
  const mean = tokenLogProbs.reduce((sum, value) => sum + value, 0) / tokenLogProbs.length;
  return Math.min(1, Math.max(0, Math.exp(mean)));
}

/** Rounds times to milliseconds, clamps them to the slice and removes overlaps. */
function removeOverlaps(words: readonly RecognizedWord[], time: SliceTime): RecognizedWord[] {
  let clock = roundToMilliseconds(time.start);
  const last = roundToMilliseconds(time.end);
  return words.flatMap((word, index) => {
    if (word.text === '') return [];
    const start = Math.min(last, Math.max(clock, roundToMilliseconds(word.start)));
    const next = words[index + 1]?.start ?? time.end;
    const end = Math.min(last, Math.max(start, roundToMilliseconds(Math.min(word.end, next))));
    clock = end;
    return [{ ...word, start, end }];
  });
}
