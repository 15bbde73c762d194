/** Converts an engine's result for a slice to words with times and confidences. Pure. */
import { milliseconds } from '../../milliseconds.ts';
import type { SliceResult } from '../../sherpa/protocol.ts';
import type { RecognizedWord } from '../port.ts';

/** Position of a slice in the recording, in seconds. */
export interface SliceTime {
  readonly start: number;
  readonly end: number;
}

/** Non-speech markers: `<|zh|>`, `<unk>`, `[NOISE]`; not `<0xE4>`, which is a byte of a character. */
const MARKER = /<\|[^|>]*\|>|<(?!0x)[a-z/_]+>|\[[A-Z_ ]+\]/g;
/** A byte of a character that is not in the vocabulary. */
const BYTE = /^<0x([0-9A-F]{2})>$/;
/** The engines' prefix of a token that begins a word. */
const WORD_BEGINS = /\u2581/g;
/** Characters that code reading transcripts could take for markup. */
const BRACKETS = /[<>[\]()]/g;
/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HAS_LETTER = /[\p{L}\p{N}]/u;
/** Assumed seconds of a word's last token if the engine returns no durations: about a syllable. */
const SYLLABLE = 0.24;

/** A character with its token index and its times, in seconds from the start of the slice. */
interface Letter {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly token: number;
}

/** @param language BCP-47, used to segment text without spaces */
export function wordsOf(result: SliceResult, time: SliceTime, language: string): RecognizedWord[] {
  const letters = timedLetters(result, time.end - time.start) ?? spreadLetters(result, time);
  return inOrder(
    divide(letters, language).map((word) => ({
      text: word
        .map(({ text }) => text)
        .join('')
        .replace(BRACKETS, ''),
      start: time.start + (word[0] as Letter).start,
      end: time.start + (word.at(-1) as Letter).end,
      confidence: confidenceOf(word, result.ys_log_probs),
    })),
    time,
  );
}

/** Characters with the times of their tokens; null if the engine returns no times. */
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
  // The byte tokens could not be decoded; only the text is usable.
  return letters.some(({ text }) => text === '\uFFFD') ? null : letters;
}

/** Distributes characters evenly over the slice, for engines that return only text. */
function spreadLetters({ text }: SliceResult, time: SliceTime): Letter[] {
  const characters = [...clean(text)];
  const each = (time.end - time.start) / Math.max(1, characters.length);
  return characters.map((character, at) => ({
    text: character,
    start: at * each,
    end: (at + 1) * each,
    token: -1,
  }));
}

/** Decodes runs of byte tokens. The decoded text replaces the first token of a run; the others become empty. */
function joinBytes(tokens: readonly string[]): string[] {
  const joined = [...tokens];
  for (let from = 0; from < tokens.length; from += 1) {
    const bytes: number[] = [];
    for (let at = from; at < tokens.length; at += 1) {
      const byte = BYTE.exec(tokens[at] as string)?.[1];
      if (byte === undefined) break;
      bytes.push(Number.parseInt(byte, 16));
    }
    if (bytes.length === 0) continue;
    joined[from] = new TextDecoder().decode(Uint8Array.from(bytes));
    for (let at = from + 1; at < from + bytes.length; at += 1) joined[at] = '';
    from += bytes.length - 1;
  }
  return joined;
}

function clean(text: string): string {
  return text.replace(WORD_BEGINS, ' ').replace(MARKER, '');
}

/** Groups characters into words by spaces, or by the language's dictionary in scripts without spaces. */
function divide(letters: readonly Letter[], language: string): Letter[][] {
  const words: Letter[][] = [];
  let run: Letter[] = [];
  const close = () => {
    for (const word of divideRun(run, language)) {
      const isWord = word.some(({ text }) => HAS_LETTER.test(text));
      const last = words.at(-1);
      // Detached punctuation belongs to the preceding word.
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
  if (!run.some(({ text }) => UNSPACED.test(text))) return [run];
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const parts: Letter[][] = [];
  let at = 0;
  for (const { segment } of segmenter.segment(run.map(({ text }) => text).join(''))) {
    const count = [...segment].length;
    parts.push(run.slice(at, at + count));
    at += count;
  }
  return parts;
}

/** The geometric mean of the word's token probabilities; 1 if the engine returns none. */
function confidenceOf(word: readonly Letter[], logProbs: readonly number[]): number {
  const tokens = [...new Set(word.map(({ token }) => token))];
  const known = tokens.flatMap((token) => logProbs[token] ?? []);
  if (known.length === 0) return 1;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return Math.min(1, Math.max(0, Math.exp(mean)));
}

/** Rounds times to milliseconds, clamps them to the slice and removes overlaps. */
function inOrder(words: readonly RecognizedWord[], time: SliceTime): RecognizedWord[] {
  let clock = milliseconds(time.start);
  const last = milliseconds(time.end);
  return words.flatMap((word, at) => {
    if (word.text === '') return [];
    const start = Math.min(last, Math.max(clock, milliseconds(word.start)));
    const next = words[at + 1]?.start ?? time.end;
    const end = Math.min(last, Math.max(start, milliseconds(Math.min(word.end, next))));
    clock = end;
    return [{ ...word, start, end }];
  });
}
