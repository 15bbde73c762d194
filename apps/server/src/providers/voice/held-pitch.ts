import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { FRAME_SECONDS } from '../speech/slices.ts';
import { createTransform } from './transform.ts';

/** Every second sample is enough: pitches and their first overtones are below 4 kHz. */
const THINNING = 2;
const RATE = SPEECH_SAMPLE_RATE / THINNING;
/** 128 ms: the partials of a chord stand apart, those of a gliding voice smear. */
const WINDOW = 1024;
/** One look at the spectrum for so many frames. */
const FRAMES_PER_LOOK = 2;
const HOP = RATE * FRAME_SECONDS * FRAMES_PER_LOOK;
/** A look is about the middle of its window, which was read by then. */
const LATE = Math.round(WINDOW / 2 / HOP) - 1;

/** Where pitches and their first overtones are, in hertz. */
const LOWEST = 90;
const HIGHEST = 3400;
/** So many of the strongest peaks of a spectrum, none below a thousandth (−30 dB) of the strongest's power. */
const PEAKS = 8;
const WEAKEST = 1e-3;
/** Semitones a held pitch may stray from its own mean: a vibrato stays within, a voice glides out. */
const STRAY = 1 / 3;
/** Looks through which a pitch must last to be held: a fifth of a second. */
const HELD_LOOKS = 10;

interface Peak {
  /** In semitones. */
  readonly pitch: number;
  /** Its amplitude. */
  readonly weight: number;
}

/** A pitch that goes on, look after look. */
interface Held {
  readonly weights: number[];
  looks: number;
  mean: number;
}

/**
 * Measures how much of a sound are held pitches: notes keep theirs for a fifth of a second and longer, voices
 * glide. Keeps one number for each fiftieth of a second.
 */
export class PitchMeter {
  readonly #shares: number[] = [];
  readonly #recent = new Float64Array(WINDOW);
  readonly #powerOf = createTransform(WINDOW);
  #held: readonly Held[] = [];
  #read = 0;
  #half = 0;

  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#half += sample;
      this.#read += 1;
      if (this.#read % THINNING !== 0) continue;
      const at = this.#read / THINNING;
      this.#recent[at % WINDOW] = this.#half / THINNING;
      this.#half = 0;
      if (at % HOP === 0) this.#look(at + 1);
    }
  }

  /** Share of the strongest peaks around this frame that are held, by amplitude; undefined where it was not looked. */
  shareAt(frame: number): number | undefined {
    return this.#shares[Math.floor(frame / FRAMES_PER_LOOK) + LATE];
  }

  /** @param oldest where in the ring the window begins. */
  #look(oldest: number): void {
    const peaks = peaksOf(this.#powerOf(this.#recent, oldest));
    const all = peaks.reduce((sum, { weight }) => sum + weight, 0);
    const look = this.#shares.push(0) - 1;
    const before = new Set(this.#held);
    this.#held = peaks.map(({ pitch, weight }) => {
      const held = nearest(before, pitch) ?? { weights: [], looks: 0, mean: pitch };
      before.delete(held);
      held.looks += 1;
      held.mean += (pitch - held.mean) / held.looks;
      // Until it has lasted long enough, what it would have counted is remembered.
      if (held.looks <= HELD_LOOKS) held.weights.push(weight / all);
      if (held.looks === HELD_LOOKS) {
        for (const [ago, share] of held.weights.reverse().entries()) this.#count(look - ago, share);
      } else if (held.looks > HELD_LOOKS) this.#count(look, weight / all);
      return held;
    });
  }

  #count(look: number, share: number): void {
    this.#shares[look] = (this.#shares[look] ?? 0) + share;
  }
}

function nearest(held: Iterable<Held>, pitch: number): Held | undefined {
  let best: Held | undefined;
  let least = STRAY;
  for (const each of held) {
    const distance = Math.abs(each.mean - pitch);
    if (distance >= least) continue;
    least = distance;
    best = each;
  }
  return best;
}

/** The strongest local maxima, strongest first; between the lines of the spectrum by the parabola through three. */
function peaksOf(power: Float64Array): Peak[] {
  const from = Math.round((LOWEST / RATE) * WINDOW);
  const to = Math.round((HIGHEST / RATE) * WINDOW);
  const line = (at: number) => power[at] ?? 0;
  const log = (at: number) => Math.log(line(at) + 1);
  let most = 0;
  for (let at = from; at <= to; at += 1) most = Math.max(most, line(at));
  const peaks: Peak[] = [];
  for (let at = from; at <= to; at += 1) {
    const here = line(at);
    if (here < most * WEAKEST || here <= line(at - 1) || here < line(at + 1)) continue;
    const [below, middle, above] = [log(at - 1), log(at), log(at + 1)];
    const beside = (below - above) / (2 * (below - 2 * middle + above)) || 0;
    peaks.push({ pitch: 12 * Math.log2(at + beside), weight: Math.sqrt(here) });
  }
  return peaks.sort((a, b) => b.weight - a.weight).slice(0, PEAKS);
}
