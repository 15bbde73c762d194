/**
 * Divides long audio into slices at pauses, so that engines work in bounded
 * memory and on several cores. Pure: loudness in, slices out.
 */
import type { SpeechSegment } from '../voice/port.ts';

/** Loudness is measured over frames of this many seconds: PocketSphinx counts in the same frames. */
export const FRAME_SECONDS = 0.01;

/** A stretch of audio, in frames; `to` is exclusive. */
export interface Slice {
  readonly from: number;
  readonly to: number;
}

export interface SliceLimits {
  /** Seconds below which no slice is cut: too little to judge the channel by. */
  readonly shortest: number;
  /** Seconds after which the best pause so far is taken. */
  readonly longest: number;
}

/** A cut lies in the middle of the quietest stretch of this many seconds: longer than any closure inside a word. */
const PAUSE_SECONDS = 0.3;

/** Root mean square below which a frame counts as digital silence: −60 dB of full scale. */
const SILENCE_RMS = 33;
/** Seconds of digital silence that are not worth decoding. */
const DEAD_SECONDS = 1.5;
/** Seconds of silence kept around what is decoded: engines want to hear a word begin and end. */
const MARGIN_SECONDS = 0.3;

/** Sums up samples as they stream by into one root mean square per frame. */
export class LoudnessMeter {
  readonly #frameSamples: number;
  readonly #frames: number[] = [];
  #sum = 0;
  #count = 0;

  /** @param sampleRate hertz. */
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

  /** One value per started frame. */
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
 * Slices in order of time that cover everything except long digital silence, or, when it is known where
 * somebody speaks, those segments.
 */
export function planSlices(
  loudness: Float32Array,
  limits: SliceLimits,
  spoken?: readonly SpeechSegment[],
): Slice[] {
  const segments = spoken ? spokenSlices(loudness, spoken, limits) : audibleSlices(loudness);
  return segments.flatMap((stretch) => divide(loudness, stretch, limits));
}

/** As frames, and neighbours as one as long as they fit into a slice: engines hear better in context. */
function spokenSlices(
  loudness: Float32Array,
  spoken: readonly SpeechSegment[],
  limits: SliceLimits,
): Slice[] {
  const longest = Math.round(limits.longest / FRAME_SECONDS);
  const near = Math.round(DEAD_SECONDS / FRAME_SECONDS);
  const segments: Slice[] = [];
  for (const { start, end } of spoken) {
    const from = Math.max(0, Math.floor(start / FRAME_SECONDS));
    const to = Math.min(loudness.length, Math.ceil(end / FRAME_SECONDS));
    if (to <= from) continue;
    const last = segments.at(-1);
    if (last && from - last.to <= near && to - last.from <= longest) {
      segments[segments.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    } else {
      segments.push({ from: Math.max(from, last?.to ?? 0), to });
    }
  }
  return segments.filter(({ from, to }) => to > from);
}

function audibleSlices(loudness: Float32Array): Slice[] {
  const dead = Math.round(DEAD_SECONDS / FRAME_SECONDS);
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
    if (from < 0 || frame - last > dead) {
      close();
      from = frame;
    }
    last = frame;
  }
  close();
  return segments;
}

function divide(loudness: Float32Array, stretch: Slice, limits: SliceLimits): Slice[] {
  const shortest = Math.round(limits.shortest / FRAME_SECONDS);
  const longest = Math.round(limits.longest / FRAME_SECONDS);
  const slices: Slice[] = [];
  let from = stretch.from;
  while (stretch.to - from > longest) {
    // the rest must not become shorter than the shortest slice
    const last = Math.min(from + longest, stretch.to - shortest);
    const cut = quietest(loudness, from + shortest, last);
    slices.push({ from, to: cut });
    from = cut;
  }
  return [...slices, { from, to: stretch.to }];
}

/** The frame in [first, last] in the middle of the quietest stretch. */
function quietest(loudness: Float32Array, first: number, last: number): number {
  const half = Math.round(PAUSE_SECONDS / FRAME_SECONDS / 2);
  const at = (frame: number) => loudness[frame] ?? 0;
  let sum = 0;
  for (let frame = first - half; frame < first + half; frame += 1) sum += at(frame);
  let best = first;
  let least = sum;
  for (let frame = first + 1; frame <= last; frame += 1) {
    sum += at(frame + half - 1) - at(frame - half - 1);
    if (sum < least) {
      least = sum;
      best = frame;
    }
  }
  return best;
}

/** Deals slices to `count` workers so that the longest share is short; each share stays in order of time. */
export function distributeSlices(slices: readonly Slice[], count: number): Slice[][] {
  const shares = Array.from({ length: count }, () => ({ slices: [] as Slice[], frames: 0 }));
  const byLength = [...slices].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  for (const slice of byLength) {
    const least = shares.reduce((a, b) => (b.frames < a.frames ? b : a));
    least.slices.push(slice);
    least.frames += slice.to - slice.from;
  }
  return shares
    .filter((share) => share.slices.length > 0)
    .map((share) => share.slices.sort((a, b) => a.from - b.from));
}
