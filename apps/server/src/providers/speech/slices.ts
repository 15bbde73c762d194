/**
 * Divides long audio into slices at pauses. Slices limit the engines' memory use and allow them to use several cores.
 * Decisions depend only on the loudness.
 */
import type { SpeechSegment } from '../voice/port.ts';

/** Duration of a frame in seconds. Loudness is measured per frame, and PocketSphinx counts in frames. */
export const FRAME_SECONDS = 0.01;

/** A range of frames; `to` is exclusive. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

export interface SliceLimits {
  /** Minimum length of a slice in seconds if longer audio is divided: enough for an engine to adapt to the channel. */
  readonly shortest: number;
  /** Maximum length of a slice in seconds. */
  readonly longest: number;
}

/**
 * Minimum length of a pause in seconds. Audio is cut in the middle of a pause, so it must be longer than any stop
 * closure within a word.
 */
const PAUSE_SECONDS = 0.3;

/** Root mean square of digital silence: anything below −60 dBFS. */
const SILENCE_RMS = 33;
/** Minimum length of a digital silence that is skipped, in seconds. */
const SKIPPED_SECONDS = 1.5;
/** Seconds of silence to keep around speech, because engines need the onset and end of each word. */
const MARGIN_SECONDS = 0.3;

/** Computes the root mean square of each frame of streamed samples. */
export class LoudnessMeter {
  readonly #frameSamples: number;
  readonly #frames: number[] = [];
  #sum = 0;
  #count = 0;

  /** @param sampleRate in hertz */
  constructor(sampleRate: number) {
    this.#frameSamples = Math.round(sampleRate * FRAME_SECONDS);
  }

  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#sum += sample * sample;
      this.#count += 1;
      if (this.#count === this.#frameSamples) this.#endFrame();
    }
  }

  /** Returns one value per frame, including an incomplete last one. */
  finish(): Float32Array {
    if (this.#count > 0) this.#endFrame();
    return Float32Array.from(this.#frames);
  }

  #endFrame(): void {
    this.#frames.push(Math.sqrt(this.#sum / this.#count));
    this.#sum = 0;
    this.#count = 0;
  }
}

/**
 * Returns slices in chronological order. They cover the speech segments if known, otherwise everything except long
 * digital silence.
 */
export function planSlices(
  loudness: Float32Array,
  limits: SliceLimits,
  speechSegments?: readonly SpeechSegment[],
): Slice[] {
  const ranges = speechSegments
    ? spokenSlices(loudness, speechSegments, limits)
    : audibleSlices(loudness);
  return ranges.flatMap((range) => divideRange(loudness, range, limits));
}

/**
 * Converts speech segments to frames. Merges neighboring segments that fit into one slice, because context improves
 * accuracy.
 */
function spokenSlices(
  loudness: Float32Array,
  speechSegments: readonly SpeechSegment[],
  limits: SliceLimits,
): Slice[] {
  const longest = Math.round(limits.longest / FRAME_SECONDS);
  const maxGap = Math.round(SKIPPED_SECONDS / FRAME_SECONDS);
  const segments: Slice[] = [];
  for (const { start, end } of speechSegments) {
    const from = Math.max(0, Math.floor(start / FRAME_SECONDS));
    const to = Math.min(loudness.length, Math.ceil(end / FRAME_SECONDS));
    if (to <= from) continue;
    const last = segments.at(-1);
    if (last && from - last.to <= maxGap && to - last.from <= longest) {
      segments[segments.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else {
      segments.push({ from: Math.max(from, last?.to ?? 0), to });
    }
  }
  return segments.filter(({ from, to }) => to > from);
}

function audibleSlices(loudness: Float32Array): Slice[] {
  const maxGap = Math.round(SKIPPED_SECONDS / FRAME_SECONDS);
  const margin = Math.round(MARGIN_SECONDS / FRAME_SECONDS);
  const segments: Slice[] = [];
  let from = -1;
  let last = -1;
  const close = () => {
    if (from < 0) return;
    segments.push({
      from: Math.max(0, from - margin),
      to: Math.min(loudness.length, last + 1 + margin),
    });
  };
  for (const [frame, value] of loudness.entries()) {
    if (value < SILENCE_RMS) continue;
    if (from < 0 || frame - last > maxGap) {
      close();
      from = frame;
    }
    last = frame;
  }
  close();
  return segments;
}

function divideRange(loudness: Float32Array, range: Slice, limits: SliceLimits): Slice[] {
  const shortest = Math.round(limits.shortest / FRAME_SECONDS);
  const longest = Math.round(limits.longest / FRAME_SECONDS);
  const slices: Slice[] = [];
  let from = range.from;
  while (range.to - from > longest) {
    // The remainder must not be shorter than the shortest slice.
    const last = Math.min(from + longest, range.to - shortest);
    const cut = findQuietestFrame(loudness, from + shortest, last);
    slices.push({ from, to: cut });
    from = cut;
  }
  return [...slices, { from, to: range.to }];
}

/** Returns the frame in the middle of the quietest pause within [first, last]. */
function findQuietestFrame(loudness: Float32Array, first: number, last: number): number {
  const half = Math.round(PAUSE_SECONDS / FRAME_SECONDS / 2);
  const levelAt = (frame: number) => loudness[frame] ?? 0;
  let sum = 0;
  for (let frame = first - half; frame < first + half; frame += 1) sum += levelAt(frame);
  let quietest = first;
  let lowestSum = sum;
  for (let frame = first + 1; frame <= last; frame += 1) {
    sum += levelAt(frame + half - 1) - levelAt(frame - half - 1);
    if (sum < lowestSum) {
      lowestSum = sum;
      quietest = frame;
    }
  }
  return quietest;
}

/** Distributes slices evenly among at most `count` workers. Each worker's share is in chronological order. */
export function distributeSlices(slices: readonly Slice[], count: number): Slice[][] {
  const shares = Array.from({ length: count }, () => ({ slices: [] as Slice[], frames: 0 }));
  const byLength = [...slices].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  for (const slice of byLength) {
    const smallestShare = shares.reduce((a, b) => (b.frames < a.frames ? b : a));
    smallestShare.slices.push(slice);
    smallestShare.frames += slice.to - slice.from;
  }
  return shares
    .filter((share) => share.slices.length > 0)
    .map((share) => share.slices.sort((a, b) => a.from - b.from));
}
