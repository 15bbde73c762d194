/** Distinguishes music from speech by sustained pitches, which are rare in voices. */
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { FRAME_SECONDS } from '../speech/slices.ts';
import { createTransform } from './transform.ts';

/** Downsampling factor. Pitches and their first overtones are below 4 kHz, so half the sample rate is enough. */
const DOWNSAMPLING = 2;
const RATE = SPEECH_SAMPLE_RATE / DOWNSAMPLING;
/** Window size in samples: 128 ms. It resolves the partials of a chord and smears the partials of a gliding voice. */
const WINDOW_SAMPLES = 1024;
/** Number of frames between two spectra. */
const FRAMES_PER_SPECTRUM = 2;
const HOP_SAMPLES = RATE * FRAME_SECONDS * FRAMES_PER_SPECTRUM;
/** Latency in spectra: a spectrum describes the middle of its window, but is computed at its end. */
const LATENCY = Math.round(WINDOW_SAMPLES / 2 / HOP_SAMPLES) - 1;

/** Band searched for pitches and their first overtones, in hertz. */
const MIN_FREQUENCY = 90;
const MAX_FREQUENCY = 3400;
/** Maximum number of peaks per spectrum. */
const MAX_PEAKS = 8;
/** Minimum power of a peak, relative to the strongest peak (−30 dB). */
const MIN_PEAK_POWER = 1e-3;
/**
 * Maximum deviation of a sustained pitch from its mean, in semitones. Vibrato stays within this range, but a voice
 * doesn't.
 */
const MAX_DEVIATION = 1 / 3;
/** Minimum number of consecutive spectra of a sustained pitch: a fifth of a second. */
const MIN_SPECTRA = 10;

interface Peak {
  /** Pitch in semitones. */
  readonly pitch: number;
  /** Amplitude of the pitch. */
  readonly weight: number;
}

/** A pitch tracked over consecutive spectra. */
interface PitchTrack {
  readonly weights: number[];
  spectra: number;
  mean: number;
}

/**
 * Measures the fraction of sustained pitches, 50 times per second. Notes hold their pitch for a fifth of a second or
 * longer, whereas voices glide.
 */
export class PitchMeter {
  readonly #shares: number[] = [];
  readonly #recent = new Float64Array(WINDOW_SAMPLES);
  readonly #computePower = createTransform(WINDOW_SAMPLES);
  #tracks: readonly PitchTrack[] = [];
  #read = 0;
  #sum = 0;

  add(samples: Int16Array): void {
    for (const sample of samples) {
      this.#sum += sample;
      this.#read += 1;
      if (this.#read % DOWNSAMPLING !== 0) continue;
      const index = this.#read / DOWNSAMPLING;
      this.#recent[index % WINDOW_SAMPLES] = this.#sum / DOWNSAMPLING;
      this.#sum = 0;
      if (index % HOP_SAMPLES === 0) this.#analyze(index + 1);
    }
  }

  /**
   * Returns the fraction of sustained pitches among the strongest peaks around a frame, by amplitude, or undefined if
   * the frame wasn't analyzed.
   */
  shareAt(frame: number): number | undefined {
    return this.#shares[Math.floor(frame / FRAMES_PER_SPECTRUM) + LATENCY];
  }

  /** @param oldest index of the oldest sample in the ring buffer */
  #analyze(oldest: number): void {
    const peaks = findPeaks(this.#computePower(this.#recent, oldest));
    const total = peaks.reduce((sum, { weight }) => sum + weight, 0);
    const spectrum = this.#shares.push(0) - 1;
    const previous = new Set(this.#tracks);
    this.#tracks = peaks.map(({ pitch, weight }) => {
      const track = nearest(previous, pitch) ?? { weights: [], spectra: 0, mean: pitch };
      previous.delete(track);
      track.spectra += 1;
      track.mean += (pitch - track.mean) / track.spectra;
      // Once a track is long enough, it also counts retroactively.
      if (track.spectra <= MIN_SPECTRA) track.weights.push(weight / total);
      if (track.spectra === MIN_SPECTRA) {
        for (const [ago, share] of track.weights.reverse().entries()) {
          this.#count(spectrum - ago, share);
        }
      } else if (track.spectra > MIN_SPECTRA) this.#count(spectrum, weight / total);
      return track;
    });
  }

  #count(spectrum: number, share: number): void {
    this.#shares[spectrum] = (this.#shares[spectrum] ?? 0) + share;
  }
}

function nearest(tracks: Iterable<PitchTrack>, pitch: number): PitchTrack | undefined {
  let nearestTrack: PitchTrack | undefined;
  let smallestDistance = MAX_DEVIATION;
  for (const track of tracks) {
    const distance = Math.abs(track.mean - pitch);
    if (distance >= smallestDistance) continue;
    smallestDistance = distance;
    nearestTrack = track;
  }
  return nearestTrack;
}

/** Returns the strongest local maxima, strongest first. Their pitches are interpolated parabolically. */
function findPeaks(power: Float64Array): Peak[] {
  const from = Math.round((MIN_FREQUENCY / RATE) * WINDOW_SAMPLES);
  const to = Math.round((MAX_FREQUENCY / RATE) * WINDOW_SAMPLES);
  const powerAt = (bin: number) => power[bin] ?? 0;
  const logPowerAt = (bin: number) => Math.log(powerAt(bin) + 1);
  let strongest = 0;
  for (let bin = from; bin <= to; bin += 1) strongest = Math.max(strongest, powerAt(bin));
  const peaks: Peak[] = [];
  for (let bin = from; bin <= to; bin += 1) {
    const peak = powerAt(bin);
    if (peak < strongest * MIN_PEAK_POWER || peak <= powerAt(bin - 1) || peak < powerAt(bin + 1))
      continue;
    const [below, middle, above] = [logPowerAt(bin - 1), logPowerAt(bin), logPowerAt(bin + 1)];
    const offset = (below - above) / (2 * (below - 2 * middle + above)) || 0;
    peaks.push({ pitch: 12 * Math.log2(bin + offset), weight: Math.sqrt(peak) });
  }
  return peaks.sort((a, b) => b.weight - a.weight).slice(0, MAX_PEAKS);
}
