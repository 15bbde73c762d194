/**
 * Synthetic speech that the fake service can decode. Each word is a sequence of three tones that encode its index. The
 * tones survive Opus, so words and their times can be recovered from the audio.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { WAVE_HEADER_BYTES, waveHeader } from '@linnet/audio/wave';
import { SPEECH_SAMPLE_RATE } from '../../src/providers/speech/port.ts';

export interface SpokenWord {
  readonly text: string;
  /** Start in seconds. */
  readonly start: number;
  /** Whether a full stop follows the word. */
  readonly endsSentence: boolean;
}

/** Duration of a word in seconds. */
export const WORD_SECONDS = 0.24;
const TONES_PER_WORD = 3;
const TONE_SAMPLES = (WORD_SECONDS / TONES_PER_WORD) * SPEECH_SAMPLE_RATE;
/** Frequencies of the 32 tones, in hertz. */
const FREQUENCIES = Array.from({ length: 32 }, (_, index) => 500 + 90 * index);
export const MAX_WORDS = FREQUENCIES.length ** TONES_PER_WORD;
const AMPLITUDE = 9000;
/** Length of a tone's fade-in and fade-out, in samples. Fading prevents clicks. */
const RAMP_SAMPLES = 64;

const FRAME = SPEECH_SAMPLE_RATE / 100;
/** Minimum root mean square of a frame within a word. */
const LOUD_LEVEL = 900;
/** Minimum number of frames in a complete word. */
const WHOLE_FRAMES = (WORD_SECONDS * SPEECH_SAMPLE_RATE) / FRAME - 1;

/** One tone of each frequency. */
const tones = FREQUENCIES.map((frequency) =>
  Int16Array.from({ length: TONE_SAMPLES }, (_, index) => {
    const ramp = Math.min(1, index / RAMP_SAMPLES, (TONE_SAMPLES - 1 - index) / RAMP_SAMPLES);
    return Math.round(
      AMPLITUDE * ramp * Math.sin((2 * Math.PI * frequency * index) / SPEECH_SAMPLE_RATE),
    );
  }),
);

function toneWord(index: number): Int16Array {
  const samples = new Int16Array(TONES_PER_WORD * TONE_SAMPLES);
  for (let tone = 0, rest = index; tone < TONES_PER_WORD; tone += 1) {
    samples.set(tones[rest % tones.length] as Int16Array, tone * TONE_SAMPLES);
    rest = Math.floor(rest / tones.length);
  }
  return samples;
}

/** Synthesizes a range of a script's samples. */
function synthesizeRange(
  script: readonly SpokenWord[],
  first: number,
  from: number,
  count: number,
  isSpoken: readonly boolean[] = [],
) {
  const samples = new Int16Array(count);
  for (let index = first; index < script.length; index += 1) {
    if (isSpoken[index] === false) continue;
    const start = Math.round((script[index] as SpokenWord).start * SPEECH_SAMPLE_RATE) - from;
    if (start >= count) break;
    const word = toneWord(index);
    // A word may be continued from the preceding range.
    const skippedSamples = Math.max(0, -start);
    if (skippedSamples < word.length)
      samples.set(word.subarray(skippedSamples, count - start), start + skippedSamples);
  }
  return samples;
}

/**
 * Synthesizes the entire script, followed by a second of silence.
 * @param isSpoken false for words to replace with silence. Defaults to speaking all words.
 */
export function synthesizeScript(
  script: readonly SpokenWord[],
  isSpoken?: readonly boolean[],
): Int16Array {
  return synthesizeRange(script, 0, 0, countSamples(script), isSpoken);
}

function countSamples(script: readonly SpokenWord[]): number {
  return Math.ceil(((script.at(-1)?.start ?? 0) + WORD_SECONDS + 1) * SPEECH_SAMPLE_RATE);
}

/** Synthesizes the script into a WAV file, one minute at a time. */
export async function speakToFile(script: readonly SpokenWord[], path: string): Promise<void> {
  const total = countSamples(script);
  const step = 60 * SPEECH_SAMPLE_RATE;
  const file: FileHandle = await open(path, 'wx');
  try {
    await file.write(waveHeader(total, SPEECH_SAMPLE_RATE));
    let first = 0;
    for (let from = 0; from < total; from += step) {
      const samples = synthesizeRange(script, first, from, Math.min(step, total - from));
      await file.write(
        new Uint8Array(samples.buffer),
        0,
        samples.byteLength,
        WAVE_HEADER_BYTES + from * 2,
      );
      const endSeconds = (from + step) / SPEECH_SAMPLE_RATE - WORD_SECONDS;
      while (first < script.length && (script[first] as SpokenWord).start < endSeconds) first += 1;
    }
  } finally {
    await file.close();
  }
}

export interface FoundWord {
  /** Index in the script, or null for an incomplete word. */
  readonly index: number | null;
  /** Start in seconds from the beginning of the samples. */
  readonly start: number;
  readonly end: number;
}

/** Decodes words and their times from samples. */
export function listen(samples: Int16Array): FoundWord[] {
  const frames = Math.ceil(samples.length / FRAME);
  // The last entry is a silent frame.
  const loudness = new Float64Array(frames + 1);
  for (let frame = 0; frame < frames; frame += 1) loudness[frame] = measureFrame(samples, frame);
  const loudnessAt = (frame: number) => loudness[frame] as number;
  const words: FoundWord[] = [];
  for (let frame = 0; frame < frames; ) {
    if (loudnessAt(frame) < LOUD_LEVEL) {
      frame += 1;
      continue;
    }
    const from = frame;
    // A frame between two tones is quieter than one within a tone.
    while (frame < frames && loudnessAt(frame) + loudnessAt(frame + 1) >= LOUD_LEVEL) frame += 1;
    const [start, end] = [from / 100, frame / 100];
    const index = frame - from >= WHOLE_FRAMES ? decodeWord(samples, from * FRAME) : null;
    words.push({ index, start, end });
  }
  return words;
}

/** Returns the root mean square of a frame. */
function measureFrame(samples: Int16Array, frame: number): number {
  const end = Math.min(samples.length, (frame + 1) * FRAME);
  let sum = 0;
  for (let index = frame * FRAME; index < end; index += 1) sum += (samples[index] as number) ** 2;
  return Math.sqrt(sum / FRAME);
}

/** Decodes the index from three tones. */
function decodeWord(samples: Int16Array, start: number): number {
  let index = 0;
  for (let tone = TONES_PER_WORD - 1; tone >= 0; tone -= 1) {
    // Use the middle of the tone, because its start is only known to ten milliseconds.
    const from = start + tone * TONE_SAMPLES + TONE_SAMPLES / 4;
    const part = samples.subarray(from, from + TONE_SAMPLES / 2);
    const strengths = FREQUENCIES.map((frequency) => strength(part, frequency));
    index = index * FREQUENCIES.length + strengths.indexOf(Math.max(...strengths));
  }
  return index;
}

/** Computes the magnitude at a frequency (Goertzel). */
function strength(samples: Int16Array, frequency: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / SPEECH_SAMPLE_RATE);
  let last = 0;
  let before = 0;
  // A loop over the samples themselves takes several times as long.
  for (let index = 0; index < samples.length; index += 1) {
    const next = (samples[index] as number) + factor * last - before;
    before = last;
    last = next;
  }
  return last * last + before * before - factor * last * before;
}

/** A small vocabulary, so that words are sometimes repeated. */
const VOCABULARY = [
  ...['harbour', 'lantern', 'meadow', 'seven', 'yes', 'no', 'the', 'river', 'quiet', 'morning'],
  ...['garden', 'copper', 'winter', 'again', 'market', 'bridge', 'paper', 'silver', 'northern'],
];

/** Generates a script of the given duration: three words per second, with pauses between sentences. */
export function makeScript(seconds: number, seed = 7): SpokenWord[] {
  const script: SpokenWord[] = [];
  let state = seed;
  // A linear congruential generator (Numerical Recipes), which is deterministic for a given seed.
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let clock = 0.5; clock < seconds; ) {
    const length = 4 + Math.floor(random() * 12);
    for (let count = 0; count < length && clock < seconds; count += 1) {
      const text = VOCABULARY[Math.floor(random() * VOCABULARY.length)] as string;
      script.push({ text, start: clock, endsSentence: count === length - 1 });
      clock += WORD_SECONDS + 0.06 + random() * 0.1;
    }
    clock += 0.4 + random() * 1.2;
  }
  if (script.length > MAX_WORDS) throw new RangeError(`${script.length} words`);
  return script;
}
