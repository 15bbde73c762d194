/** Makes words with times and confidences of what the engine says of a slice. Pure. */
import { milliseconds } from '../../milliseconds.ts';
import type { SliceResult } from '../../sherpa/protocol.ts';
import type { RecognizedWord } from '../port.ts';

/** Where a slice lies in the recording, in seconds. */
export interface SliceTime {
  readonly start: number;
  readonly end: number;
}

/** Markers that are no speech: `<|zh|>`, `<unk>`, `[NOISE]`; not `<0xE4>`, which is a byte of a letter. */
const MARKER = /<\|[^|>]*\|>|<(?!0x)[a-z/_]+>|\[[A-Z_ ]+\]/g;
/** A byte of a letter that the vocabulary does not have. */
const BYTE = /^<0x([0-9A-F]{2})>$/;
/** The mark that engines put before a token that begins a word. */
const WORD_BEGINS = /\u2581/g;
/** Signs that the transcript's readers take for markup. */
const BRACKETS = /[<>[\]()]/g;
/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const HAS_LETTER = /[\p{L}\p{N}]/u;
/** Seconds that the last sound of a word is taken to last where the engine does not say: about a syllable. */
const SYLLABLE = 0.24;

/** A letter, with where it is heard in seconds from the start of the slice, and the token it is of. */
interface Letter {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly token: number;
}

/** @param language BCP-47, for languages that are written without spaces */
export function wordsOf(heard: SliceResult, time: SliceTime, language: string): RecognizedWord[] {
  const letters = timedLetters(heard, time.end - time.start) ?? spreadLetters(heard, time);
  return inOrder(
    divide(letters, language).map((word) => ({
      text: word
        .map(({ text }) => text)
        .join('')
        .replace(BRACKETS, ''),
      start: time.start + (word[0] as Letter).start,
      end: time.start + (word.at(-1) as Letter).end,
      confidence: confidenceOf(word, heard.ys_log_probs),
    })),
    time,
  );
}

/** Letters with the times of their tokens; null when the engine gives no times. */
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
  // A vocabulary of bytes that could not be put together again: the text is right, the tokens are not.
  return letters.some(({ text }) => text === '\uFFFD') ? null : letters;
}

/** Letters evenly over the slice: all that can be said when the engine gives a text alone. */
function spreadLetters({ text }: SliceResult, time: SliceTime): Letter[] {
  const signs = [...clean(text)];
  const each = (time.end - time.start) / Math.max(1, signs.length);
  return signs.map((sign, at) => ({
    text: sign,
    start: at * each,
    end: (at + 1) * each,
    token: -1,
  }));
}

/** A letter of several byte tokens goes to the first of them. */
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

/** Groups letters into words: by spaces, and where there are none by the language's dictionary. */
function divide(letters: readonly Letter[], language: string): Letter[][] {
  const words: Letter[][] = [];
  let run: Letter[] = [];
  const close = () => {
    for (const word of divideRun(run, language)) {
      const isWord = word.some(({ text }) => HAS_LETTER.test(text));
      const last = words.at(-1);
      // A sign that stands alone belongs to the word before it.
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

/** The geometric mean of its tokens' probabilities; 1 where the engine gives none. */
function confidenceOf(word: readonly Letter[], logProbs: readonly number[]): number {
  const tokens = [...new Set(word.map(({ token }) => token))];
  const known = tokens.flatMap((token) => logProbs[token] ?? []);
  if (known.length === 0) return 1;
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  return Math.min(1, Math.max(0, Math.exp(mean)));
}

/** Times to the millisecond, inside the slice, and no word before the end of the one before. */
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
