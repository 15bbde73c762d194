/**
 * Determines who spoke when in a recorded call by comparing the energy of the microphone with the energy of the remote
 * audio.
 *
 * Call levels are frames of {@link CALL_FRAME_MS} from the start of the recording. Each frame is two bytes: the
 * microphone's level, then the remote party's level. A level is the RMS amplitude of the frame's samples on a
 * logarithmic scale: 255 is full scale (0 dBFS), each step down is 96/255 dB, and 0 is -96 dBFS or less.
 */
import { SAMPLE_RATE } from './format.ts';

/** Frame length in milliseconds: shorter than almost any word, but long enough for two pitch periods. */
export const CALL_FRAME_MS = 100;
/** Frame size in bytes. */
export const CALL_FRAME_BYTES = 2;

const FRAME_SAMPLES = (SAMPLE_RATE * CALL_FRAME_MS) / 1000;
/** The scale's range in dB: the dynamic range of 16-bit samples. */
const RANGE_DB = 96;
const FULL_SCALE = 32_768;

/** The user (`me`), or the remote party (`others`). */
export type CallSpeaker = 'me' | 'others';

/** Converts a frame's sum of squared samples to a level (0–255). */
function toLevel(squares: number): number {
  if (squares === 0) return 0;
  const decibels = 10 * Math.log10(squares / FRAME_SAMPLES / FULL_SCALE ** 2);
  return Math.max(0, Math.min(255, Math.round(255 * (1 + decibels / RANGE_DB))));
}

/** Maps each level to its linear energy, relative to full scale. Level 0 is silence. */
const energies = Float64Array.from({ length: 256 }, (_, level) =>
  level === 0 ? 0 : 10 ** (((level / 255 - 1) * RANGE_DB) / 10),
);

/** Measures the levels of a call's two inputs. */
export class CallMeter {
  #samplesInFrame = 0;
  #microphone = 0;
  #others = 0;

  /**
   * @param microphone any number of samples, 16 kHz mono
   * @param others the remote party's samples for the same period
   * @returns the bytes of the frames that these samples complete
   * @throws RangeError if the inputs differ in length
   */
  push(microphone: Int16Array, others: Int16Array): Uint8Array<ArrayBuffer> {
    if (microphone.length !== others.length) throw new RangeError('the inputs differ in length');
    const bytes: number[] = [];
    for (const [index, sample] of microphone.entries()) {
      const other = others[index] as number;
      this.#microphone += sample * sample;
      this.#others += other * other;
      this.#samplesInFrame += 1;
      if (this.#samplesInFrame < FRAME_SAMPLES) continue;
      bytes.push(toLevel(this.#microphone), toLevel(this.#others));
      this.#samplesInFrame = 0;
      this.#microphone = 0;
      this.#others = 0;
    }
    return Uint8Array.from(bytes);
  }
}

/** Mixes two inputs of equal length, clipping to 16 bits. */
export function mixCall(microphone: Int16Array, others: Int16Array): Int16Array {
  return Int16Array.from(microphone, (sample, index) =>
    Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, sample + (others[index] as number))),
  );
}

/** Percentile of an input's frame energies that is taken as the energy of loud speech. */
const LOUD_SHARE = 0.95;
/** Minimum energy at which the remote party counts as speaking, relative to its loud speech: -20 dB. */
const SPEECH_RATIO = 0.01;
/** Minimum energy that counts as speech, relative to full scale: -70 dBFS. Anything quieter is silence. */
const LOWEST_SPEECH = 1e-7;
/** Percentile of the microphone's frame energies that is taken as its noise floor. */
const NOISE_SHARE = 0.1;
/**
 * Percentile of the microphone-to-remote energy ratio, among the frames in which the remote party speaks, that is taken
 * as the echo. It's below one half because the user also speaks in some of these frames.
 */
const ECHO_SHARE = 0.4;
/** Minimum number of frames with remote speech needed to estimate the echo. */
const MIN_ECHO_FRAMES = 10;
/** Maximum delay of an echo, caused by buffers and the room, in frames. */
const ECHO_FRAMES = 3;
/** Safety factor for subtracting noise and echo, because both vary around the estimate: 6 dB. */
const SAFETY_FACTOR = 4;
/** Maximum gain or attenuation for matching the microphone to the remote audio: a factor of 100 in energy, or 20 dB. */
const MAX_GAIN = 100;

/** Determines who spoke when, from the levels of a complete call. */
export class CallSpeakers {
  /**
   * Energy per frame. For the microphone, noise and echo are removed, and the rest is scaled to the remote loudness.
   */
  readonly #microphone: Float64Array;
  readonly #others: Float64Array;

  /** @param levels frames as described above; an incomplete last frame is ignored */
  constructor(levels: Uint8Array) {
    const length = Math.floor(levels.length / CALL_FRAME_BYTES);
    const energyAt = (byte: number) => energies[levels[byte] as number] as number;
    const microphone = Float64Array.from({ length }, (_, frame) => energyAt(2 * frame));
    const others = Float64Array.from({ length }, (_, frame) => energyAt(2 * frame + 1));
    const speech = Math.max(LOWEST_SPEECH, percentile(others, LOUD_SHARE) * SPEECH_RATIO);
    /** For each microphone frame, the energy of the loudest remote frame that it may echo. */
    const echoed = others.map((_, frame) =>
      Math.max(...others.subarray(Math.max(0, frame - ECHO_FRAMES + 1), frame + 1)),
    );
    const noise = percentile(microphone, NOISE_SHARE);
    const ratios = microphone
      .map((energy, frame) => energy / Math.max(speech, others[frame] as number))
      .filter((_, frame) => (others[frame] as number) >= speech);
    const echo = ratios.length < MIN_ECHO_FRAMES ? 0 : percentile(ratios, ECHO_SHARE);
    const voice = microphone.map((energy, frame) =>
      Math.max(0, energy - SAFETY_FACTOR * (noise + echo * (echoed[frame] as number))),
    );
    // Measure the user's voice while the remote party is silent, or over all frames if it never is.
    const alone = voice.filter((energy, frame) => energy > 0 && (echoed[frame] as number) < speech);
    const userLoudness = percentile(alone.length > 0 ? alone : voice, LOUD_SHARE);
    const othersSpeech = others.filter((energy) => energy >= speech);
    const gain =
      userLoudness === 0 || othersSpeech.length === 0
        ? 1
        : Math.max(
            1 / MAX_GAIN,
            Math.min(MAX_GAIN, percentile(othersSpeech, LOUD_SHARE) / userLoudness),
          );
    this.#microphone = voice.map((energy) => energy * gain);
    this.#others = others.map((energy) => (energy >= speech ? energy : 0));
  }

  /**
   * Returns who spoke in an interval: the input with more energy, or null if both are silent.
   * @param start seconds from the start of the recording
   * @param end seconds, at least `start`
   */
  speakerBetween(start: number, end: number): CallSpeaker | null {
    const framesPerSecond = 1000 / CALL_FRAME_MS;
    const [from, to] = [start * framesPerSecond, end * framesPerSecond];
    const first = Math.max(0, Math.floor(from));
    const last = Math.max(first + 1, Math.ceil(to));
    let balance = 0;
    for (let frame = first; frame < Math.min(last, this.#others.length); frame += 1) {
      // Weight each frame by its overlap with the interval. The only frame of an empty interval gets full weight.
      const weight = to > from ? Math.min(frame + 1, to) - Math.max(frame, from) : 1;
      const difference = (this.#microphone[frame] as number) - (this.#others[frame] as number);
      balance += weight * difference;
    }
    if (balance === 0) return null;
    return balance > 0 ? 'me' : 'others';
  }
}

/** Returns the value at a percentile (`share`, from 0 to 1), or 0 if there are no values. */
function percentile(values: Float64Array, share: number): number {
  return values.toSorted()[Math.floor(share * values.length)] ?? 0;
}
