import { roundToMilliseconds } from '../../milliseconds.ts';
import { entryWords } from '../entry-words.ts';
import { type RecognizedWord, SpeechFailure } from '../port.ts';
import { FRAME_SECONDS } from '../slices.ts';

/** Matches markers of silence, noise and sentence boundaries: `<sil>`, `<s>`, `[NOISE]`, `++UM++`. */
const MARKER = /^(<.*>|\[.*\]|\+\+.*\+\+)$/;

/**
 * Parses the engine's `-ctm` file: `utterance channel start duration word confidence`, with times in seconds from the
 * start of the utterance. Utterances are named by their first frame in the recording (`sliceName`).
 * @param entries recognized entries of the vocabulary, from `parseSegments`
 * @throws SpeechFailure `output-unreadable`
 */
export function parseCtm(
  text: string,
  entries: ReadonlyMap<string, string> = new Map(),
): RecognizedWord[] {
  const words: RecognizedWord[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const fields = line.split(' ');
    const [name = '', , start, duration, raw = '', confidence] = fields;
    const offset = /^f(\d+)$/.exec(name)?.[1];
    const numbers = [offset, start, duration, confidence].map(Number);
    if (fields.length !== 6 || numbers.some((value) => !Number.isFinite(value))) {
      throw new SpeechFailure('output-unreadable', `invalid line with ${fields.length} fields`);
    }
    const spelled = cleanWord(raw);
    if (spelled === undefined) continue;
    const [frames, from, length, score] = numbers as [number, number, number, number];
    const startSeconds = frames * FRAME_SECONDS + from;
    const word = {
      text: entries.get(segmentKey(name, Math.round(from / FRAME_SECONDS))) ?? spelled,
      start: roundToMilliseconds(startSeconds),
      end: roundToMilliseconds(startSeconds + length),
      confidence: Math.min(1, Math.max(0, score)),
    };
    words.push(...entryWords(word));
  }
  return words.sort((a, b) => a.start - b.start);
}

/**
 * Finds vocabulary entries in the engine's `-hypseg` file. Unlike the `-ctm` file, it names the pronunciation of each
 * word: `utterance S … T … A … L …`, then `start acoustic-score language-score word` for each word, in frames.
 * @param entries vocabulary entries by the engine's name for their pronunciation
 * @returns vocabulary entries by utterance and first frame (`segmentKey`)
 */
export function parseSegments(
  text: string,
  entries: ReadonlyMap<string, string>,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [name = '', ...fields] = line.split(' ');
    for (const [index, field] of fields.entries()) {
      const entry = entries.get(field);
      const start = Number(fields[index - 3]);
      if (entry !== undefined) found.set(segmentKey(name, start), entry);
    }
  }
  return found;
}

function segmentKey(utterance: string, firstFrame: number): string {
  return `${utterance} ${firstFrame}`;
}

/** Names an utterance after its first frame, as `parseCtm` expects. */
export function sliceName(firstFrame: number): string {
  return `f${firstFrame}`;
}

/** Removes the pronunciation number (`read(2)`). Returns undefined for a marker. */
function cleanWord(raw: string): string | undefined {
  const word = raw.replace(/\(\d+\)$/, '');
  if (word === '' || MARKER.test(word)) return undefined;
  // The engine writes single letters as "b.".
  return /^[a-z]\.$/.test(word) ? word.charAt(0).toUpperCase() : word;
}
