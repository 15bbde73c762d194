import { milliseconds } from '../../milliseconds.ts';
import { type RecognizedWord, SpeechFailure } from '../port.ts';
import { FRAME_SECONDS } from '../slices.ts';

/** Silence, noise and sentence bounds: `<sil>`, `<s>`, `[NOISE]`, `++UM++`. */
const MARKER = /^(<.*>|\[.*\]|\+\+.*\+\+)$/;

/**
 * Reads the engine's `-ctm` file: `utterance channel start duration word confidence`,
 * times in seconds from the start of the utterance. Utterances are named after
 * the frame at which they begin in the whole recording (`sliceName`).
 * @throws {SpeechFailure} `output-unreadable`
 */
export function parseCtm(text: string): RecognizedWord[] {
  const words: RecognizedWord[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const fields = line.split(' ');
    const [name = '', , start, duration, raw = '', confidence] = fields;
    const offset = /^f(\d+)$/.exec(name)?.[1];
    const numbers = [offset, start, duration, confidence].map(Number);
    if (fields.length !== 6 || numbers.some((value) => !Number.isFinite(value))) {
      throw new SpeechFailure('output-unreadable', `a line of ${fields.length} fields`);
    }
    const spelled = spell(raw);
    if (spelled === undefined) continue;
    const [frames, from, length, sure] = numbers as [number, number, number, number];
    const begins = frames * FRAME_SECONDS + from;
    words.push({
      text: spelled,
      start: milliseconds(begins),
      end: milliseconds(begins + length),
      confidence: Math.min(1, Math.max(0, sure)),
    });
  }
  return words.sort((a, b) => a.start - b.start);
}

/** The name of an utterance, from which `parseCtm` knows where it begins. */
export function sliceName(firstFrame: number): string {
  return `f${firstFrame}`;
}

/** The word without the engine's own signs (`read(2)` is its second pronunciation), or undefined for a marker. */
function spell(raw: string): string | undefined {
  const word = raw.replace(/\(\d+\)$/, '');
  if (word === '' || MARKER.test(word)) return undefined;
  // spelled letters come as "b."; a reader expects B
  return /^[a-z]\.$/.test(word) ? word.charAt(0).toUpperCase() : word;
}
