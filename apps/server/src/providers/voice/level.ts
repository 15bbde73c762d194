/** Detects speech by level and zero-crossing rate. Used if no voice activity model is installed. */
import { SPEECH_SAMPLE_RATE, SpeechFailure } from '../speech/port.ts';
import { FRAME_SECONDS } from '../speech/slices.ts';
import { openWave, readSamples } from '../speech/wave-file.ts';
import { toVoiceFailure } from './failure.ts';
import { musicalFrames } from './music.ts';
import { type SpeechSegment, type VoiceDetector, VoiceFailure } from './port.ts';
import { PitchMeter } from './sustained-pitch.ts';

const FRAME_SAMPLES = SPEECH_SAMPLE_RATE * FRAME_SECONDS;
/** Samples per read: one second. The abort signal is checked after each read. */
const BLOCK_SAMPLES = SPEECH_SAMPLE_RATE;
const frames = (seconds: number) => Math.round(seconds / FRAME_SECONDS);

/** Level of silence. All levels here are in dBFS. Anything quieter is inaudible. */
const SILENCE = -60;
/** Minimum level of speech above the noise floor, in decibels. Quieter speech is unintelligible anyway. */
const MIN_ABOVE_FLOOR_DB = 8;
/** Seconds on either side to search for the noise floor. Longer than a breath, so a pause is always included. */
const FLOOR_REACH = 10;
/** Window for averaging levels in seconds, shorter than a syllable and longer than a pitch period. */
const SMOOTHING = 0.05;

/** Longest pause within a segment, in seconds. Pauses between words are shorter. */
const MAX_PAUSE = 0.6;
/** Minimum duration of a segment, in seconds. Clicks and knocks are shorter. */
const MIN_DURATION = 0.12;
/** Seconds added at both ends, because unvoiced sounds start and end below the threshold. */
const MARGIN_SECONDS = 0.3;

/** Seconds ignored at the ends of a loud section, where any sound fades in or out. */
const EDGE_SECONDS = 0.06;
/** Minimum range of levels in decibels. Syllables modulate speech; tones, hum and hiss only vary by about 2 dB. */
const MIN_LEVEL_RANGE = 5;
/** Maximum zero-crossing rate of a voiced frame: 0.2 corresponds to 1.6 kHz, above any vowel. White noise has 0.5. */
const VOICED_CROSSINGS = 0.2;
/** Minimum fraction of voiced frames in speech. */
const MIN_VOICED_SHARE = 0.1;

/**
 * Detects speech by level, modulation and zero crossings. Needs no model.
 *
 * Excludes music with sustained pitches: plucked, struck or bowed strings, bells, organ, accordion, brass. Known false
 * positives, entirely or partly: singing and choirs; percussion, alone or dominant; gliding saxophone or whistling;
 * strummed guitars; notes of an eighth of a second; rock and electronic music, where drums and distortion mask the
 * pitches. Doubtful sounds count as speech. Speech over music is detected unless the music is as loud as the voice.
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
        throw error instanceof SpeechFailure ? toVoiceFailure(error) : error;
      }
    },
  };
}

/** Measures each frame's level and zero-crossing rate. */
class FrameMeter {
  /** Levels in dBFS. */
  readonly levels: number[] = [];
  /** Zero-crossing rates, from 0 to 1. */
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
  const smooth = smoothLevels(levels);
  const floor = lowest(smooth, frames(FLOOR_REACH));
  const isLoud = (frame: number) =>
    (smooth[frame] ?? SILENCE) > Math.max(SILENCE, floor[frame] ?? SILENCE) + MIN_ABOVE_FLOOR_DB;
  const music = musicalFrames(smooth.length, (frame) => {
    const sustained = isLoud(frame) ? pitches.shareAt(frame) : undefined;
    return sustained === undefined ? undefined : { level: smooth[frame] ?? SILENCE, sustained };
  });
  const isCandidate = (frame: number) => isLoud(frame) && music[frame] === 0;
  const segments: SpeechSegment[] = [];
  for (const run of runs(smooth.length, isCandidate)) {
    if (!isSpeech(run, smooth, crossings, isCandidate)) continue;
    const start = Math.max(0, run.from * FRAME_SECONDS - MARGIN_SECONDS);
    const end = Math.min(seconds, (run.last + 1) * FRAME_SECONDS + MARGIN_SECONDS);
    const last = segments.at(-1);
    if (last && start <= last.end) segments[segments.length - 1] = { start: last.start, end };
    else segments.push({ start, end });
  }
  return segments;
}

/** Frame range of a possible speech segment; `last` is inclusive. */
interface Run {
  readonly from: number;
  readonly last: number;
}

/** Groups candidate frames that are separated only by short pauses. */
function* runs(length: number, isCandidate: (frame: number) => boolean): Generator<Run> {
  let from = -1;
  let last = -1;
  for (let frame = 0; frame < length; frame += 1) {
    if (!isCandidate(frame)) continue;
    if (from >= 0 && frame - last > frames(MAX_PAUSE)) {
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
  isCandidate: (frame: number) => boolean,
): boolean {
  const edge = frames(EDGE_SECONDS);
  const inner: number[] = [];
  let candidates = 0;
  let voicedFrames = 0;
  for (let frame = from; frame <= last; frame += 1) {
    if (!isCandidate(frame)) continue;
    candidates += 1;
    if ((crossings[frame] ?? 0) < VOICED_CROSSINGS) voicedFrames += 1;
    if (isCandidate(frame - edge) && isCandidate(frame + edge)) {
      inner.push(levels[frame] ?? SILENCE);
    }
  }
  if (candidates < frames(MIN_DURATION) || voicedFrames < candidates * MIN_VOICED_SHARE)
    return false;
  const sorted = Float32Array.from(inner).sort();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? SILENCE;
  return quantile(0.95) - quantile(0.05) >= MIN_LEVEL_RANGE;
}

/** Computes the centered moving average. */
function smoothLevels(levels: readonly number[]): Float32Array {
  const halfWindow = Math.floor(frames(SMOOTHING) / 2);
  return Float32Array.from(levels, (_, frame) => {
    let sum = 0;
    let count = 0;
    for (let neighbor = frame - halfWindow; neighbor <= frame + halfWindow; neighbor += 1) {
      const level = levels[neighbor];
      if (level === undefined) continue;
      sum += level;
      count += 1;
    }
    return sum / count;
  });
}

/** Computes the sliding-window minimum with a monotonic queue of frame indices. */
function lowest(levels: Float32Array, halfWindow: number): Float32Array {
  const result = new Float32Array(levels.length);
  const queue = new Int32Array(levels.length);
  let [head, tail] = [0, 0];
  for (let frame = 0; frame < levels.length + halfWindow; frame += 1) {
    if (frame < levels.length) {
      const level = levels[frame] as number;
      while (tail > head && (levels[queue[tail - 1] as number] as number) >= level) tail -= 1;
      queue[tail] = frame;
      tail += 1;
    }
    const middle = frame - halfWindow;
    if (middle < 0) continue;
    while ((queue[head] as number) < middle - halfWindow) head += 1;
    result[middle] = levels[queue[head] as number] as number;
  }
  return result;
}
