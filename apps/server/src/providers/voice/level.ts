import { SPEECH_SAMPLE_RATE, SpeechFailure } from '../speech/port.ts';
import { FRAME_SECONDS } from '../speech/slices.ts';
import { openWave, readSamples } from '../speech/wave-file.ts';
import { voiceFailureOf } from './failure.ts';
import { PitchMeter } from './held-pitch.ts';
import { musicalFrames } from './music.ts';
import { type SpeechSegment, type VoiceDetector, VoiceFailure } from './port.ts';

const FRAME_SAMPLES = SPEECH_SAMPLE_RATE * FRAME_SECONDS;
/** One second of samples per read; a look at the signal after each. */
const BLOCK_SAMPLES = SPEECH_SAMPLE_RATE;
const frames = (seconds: number) => Math.round(seconds / FRAME_SECONDS);

/** Levels are in decibels of full scale. Below this there is nothing to hear. */
const SILENCE = -60;
/** How far speech stands out of the quietest that is near: less, and it is not understood either. */
const ABOVE_FLOOR = 8;
/** Within so many seconds to either side speech has paused: longer than anybody speaks in one breath. */
const FLOOR_REACH = 10;
/** Levels are means over this many seconds: shorter than a syllable, longer than a pitch period. */
const SMOOTHING = 0.05;

/** Pauses up to here are inside a stretch: longer than those between words. */
const JOINED = 0.6;
/** A click or a knock is shorter. */
const SHORTEST = 0.12;
/** Margin in seconds beyond both ends: unvoiced sounds begin and end below the threshold. */
const MARGIN = 0.3;

/** Seconds ignored at the ends of a loud section, where any sound rises and falls. */
const EDGE = 0.06;
/** Syllables make speech rise and fall; tones, hum and hiss stay within about two decibels. */
const LEAST_SWING = 5;
/**
 * Share of samples at which the signal crosses zero: vowels stay below this (1.6 kHz), white noise is at a
 * half. Speech has vowels in at least a tenth of it.
 */
const VOICED_CROSSINGS = 0.2;
const LEAST_VOICED = 0.1;

/**
 * Finds what stands out of the background, rises and falls like syllables, and has vowels in it; needs no model.
 *
 * Leaves out music whose pitches are held: strings plucked, struck or bowed, bells, organ, accordion, brass.
 * Takes for speech, wholly or in part: singing and choirs; percussion alone or loud among the rest; a saxophone or
 * whistling that glides like a voice; strummed guitars; notes of an eighth of a second; rock and electronic music,
 * where drums and distortion hide the pitches. Doubtful sounds count as speech, and so does speech over music,
 * though music as loud as the voice may hide it.
 */
export function createLevelDetector(): VoiceDetector {
  return {
    id: 'level',
    async detect({ path, signal, onProgress }) {
      try {
        const meter = new FrameMeter();
        const pitches = new PitchMeter();
        const wave = await openWave(path);
        let read = 0;
        for await (const block of readSamples(wave, BLOCK_SAMPLES)) {
          if (signal?.aborted) throw new VoiceFailure('aborted', 'by the caller');
          meter.add(block);
          pitches.add(block);
          read += block.length;
          if (read < wave.sampleCount) onProgress?.(read / wave.sampleCount);
        }
        if (signal?.aborted) throw new VoiceFailure('aborted', 'by the caller');
        onProgress?.(1);
        return speechSegments(meter, pitches, wave.sampleCount / SPEECH_SAMPLE_RATE);
      } catch (error) {
        throw error instanceof SpeechFailure ? voiceFailureOf(error) : error;
      }
    },
  };
}

/** Measures levels: two numbers per hundredth of a second. */
class FrameMeter {
  /** Decibels of full scale. */
  readonly levels: number[] = [];
  /** Shares of samples at which the sign changes. */
  readonly crossings: number[] = [];
  #energy = 0;
  #crossed = 0;
  #count = 0;
  #last = 0;

  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#energy += sample * sample;
      if (sample < 0 !== this.#last < 0) this.#crossed += 1;
      this.#last = sample;
      this.#count += 1;
      if (this.#count === FRAME_SAMPLES) this.#endFrame();
    }
  }

  #endFrame(): void {
    const mean = this.#energy / this.#count / 32_768 ** 2;
    this.levels.push(Math.max(SILENCE, 10 * Math.log10(mean + 1e-12)));
    this.crossings.push(this.#crossed / this.#count);
    this.#energy = 0;
    this.#crossed = 0;
    this.#count = 0;
  }
}

function speechSegments(
  { levels, crossings }: FrameMeter,
  pitches: PitchMeter,
  seconds: number,
): SpeechSegment[] {
  const smooth = smoothed(levels);
  const floor = lowest(smooth, frames(FLOOR_REACH));
  const isLoud = (frame: number) =>
    (smooth[frame] ?? SILENCE) > Math.max(SILENCE, floor[frame] ?? SILENCE) + ABOVE_FLOOR;
  const music = musicalFrames(smooth.length, (frame) => {
    const held = isLoud(frame) ? pitches.shareAt(frame) : undefined;
    return held === undefined ? undefined : { level: smooth[frame] ?? SILENCE, held };
  });
  const isHeard = (frame: number) => isLoud(frame) && music[frame] === 0;
  const segments: SpeechSegment[] = [];
  for (const run of runs(smooth.length, isHeard)) {
    if (!isSpeech(run, smooth, crossings, isHeard)) continue;
    const start = Math.max(0, run.from * FRAME_SECONDS - MARGIN);
    const end = Math.min(seconds, (run.last + 1) * FRAME_SECONDS + MARGIN);
    const last = segments.at(-1);
    if (last && start <= last.end) segments[segments.length - 1] = { start: last.start, end };
    else segments.push({ start, end });
  }
  return segments;
}

/** A stretch, from its first frame that is heard to its last. */
interface Run {
  readonly from: number;
  readonly last: number;
}

/** The frames that are heard of each stretch: those with short pauses between them. */
function* runs(length: number, isHeard: (frame: number) => boolean): Generator<Run> {
  let from = -1;
  let last = -1;
  for (let frame = 0; frame < length; frame += 1) {
    if (!isHeard(frame)) continue;
    if (from >= 0 && frame - last > frames(JOINED)) {
      yield { from, last };
      from = -1;
    }
    if (from < 0) from = frame;
    last = frame;
  }
  if (from >= 0) yield { from, last };
}

function isSpeech(
  { from, last }: Run,
  levels: Float32Array,
  crossings: readonly number[],
  isHeard: (frame: number) => boolean,
): boolean {
  const edge = frames(EDGE);
  const inner: number[] = [];
  let heard = 0;
  let voiced = 0;
  for (let frame = from; frame <= last; frame += 1) {
    if (!isHeard(frame)) continue;
    heard += 1;
    if ((crossings[frame] ?? 0) < VOICED_CROSSINGS) voiced += 1;
    if (isHeard(frame - edge) && isHeard(frame + edge)) inner.push(levels[frame] ?? SILENCE);
  }
  if (heard < frames(SHORTEST) || voiced < heard * LEAST_VOICED) return false;
  const sorted = Float32Array.from(inner).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? SILENCE;
  return at(0.95) - at(0.05) >= LEAST_SWING;
}

/** The mean over some frames around each. */
function smoothed(levels: readonly number[]): Float32Array {
  const reach = Math.floor(frames(SMOOTHING) / 2);
  return Float32Array.from(levels, (_, frame) => {
    let sum = 0;
    let count = 0;
    for (let near = frame - reach; near <= frame + reach; near += 1) {
      const level = levels[near];
      if (level === undefined) continue;
      sum += level;
      count += 1;
    }
    return sum / count;
  });
}

/** The lowest value within reach of each: a queue of those that may still be it. */
function lowest(levels: Float32Array, reach: number): Float32Array {
  const result = new Float32Array(levels.length);
  const queue = new Int32Array(levels.length);
  let [head, tail] = [0, 0];
  for (let frame = 0; frame < levels.length + reach; frame += 1) {
    if (frame < levels.length) {
      const level = levels[frame] as number;
      while (tail > head && (levels[queue[tail - 1] as number] as number) >= level) tail -= 1;
      queue[tail] = frame;
      tail += 1;
    }
    const middle = frame - reach;
    if (middle < 0) continue;
    while ((queue[head] as number) < middle - reach) head += 1;
    result[middle] = levels[queue[head] as number] as number;
  }
  return result;
}
