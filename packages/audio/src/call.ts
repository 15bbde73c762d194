/**
 * Who spoke when in a recorded call, without a model: the energy of the microphone and of the meeting's audio.
 *
 * Call levels are frames of {@link CALL_FRAME_MS} from the start of the recording. A frame has two bytes: the level of the
 * microphone, then the level of the others. A level is the RMS amplitude of the frame's samples on a logarithmic scale:
 * 255 is full scale (0 dBFS), each step down is 96/255 dB, and 0 is -96 dBFS or less.
 */
import { SAMPLE_RATE } from './format.ts';

/** Milliseconds of a frame: shorter than any word but the shortest, and long enough for two pitch periods. */
export const CALL_FRAME_MS = 100;
/** Bytes of a frame. */
export const CALL_FRAME_BYTES = 2;

const FRAME_SAMPLES = (SAMPLE_RATE * CALL_FRAME_MS) / 1000;
/** The range of the scale in dB, which is the range of 16-bit samples. */
const RANGE_DB = 96;
const FULL_SCALE = 32_768;

/** The participant's own voice, or the other participants of the call. */
export type CallSpeaker = 'me' | 'others';

/** Converts the sum of the squares of a frame's samples to its level (0–255). */
function toLevel(squares: number): number {
  if (squares === 0) return 0;
  const decibels = 10 * Math.log10(squares / FRAME_SAMPLES / FULL_SCALE ** 2);
  return Math.max(0, Math.min(255, Math.round(255 * (1 + decibels / RANGE_DB))));
}

/** The linear energy of each level, relative to full scale. Level 0 is silence. */
const energies = Float64Array.from({ length: 256 }, (_, level) =>
  level === 0 ? 0 : 10 ** (((level / 255 - 1) * RANGE_DB) / 10),
);

/** Measures both inputs of a call. */
export class CallMeter {
  #samplesInFrame = 0;
  #microphone = 0;
  #others = 0;

  /**
   * @param microphone 16 kHz mono, any number of samples
   * @param others the samples of the same time
   * @returns the bytes of the frames that these samples complete
   * @throws RangeError if the numbers of samples differ
   */
  push(microphone: Int16Array, others: Int16Array): Uint8Array<ArrayBuffer> {
    if (microphone.length !== others.length) throw new RangeError('the inputs differ in length');
    const bytes: number[] = [];
    for (const [at, sample] of microphone.entries()) {
      const other = others[at] as number;
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

/** Returns the sum of two inputs, clipped to 16 bits. They have the same length. */
export function mixCall(microphone: Int16Array, others: Int16Array): Int16Array {
  return Int16Array.from(microphone, (sample, at) =>
    Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, sample + (others[at] as number))),
  );
}

/** The share of an input's frames that are quieter than its loud speech. */
const LOUD_SHARE = 0.95;
/** The energy relative to loud speech from which a frame of the others is speech: -20 dB. */
const SPEECH_RATIO = 0.01;
/** The lowest energy of speech, relative to full scale: -70 dBFS. Quieter audio of a meeting is silence. */
const LOWEST_SPEECH = 1e-7;
/** The share of the microphone's frames that are quieter than its noise. */
const NOISE_SHARE = 0.1;
/**
 * The share of frames with speech of the others that have less echo in the microphone. Below one half, because both
 * speak in some of these frames.
 */
const ECHO_SHARE = 0.4;
/** The number of frames with speech of the others from which the echo can be estimated. */
const MIN_ECHO_FRAMES = 10;
/** The frames over which an echo can be delayed by buffers and the room. */
const ECHO_FRAMES = 3;
/** How many times the estimated noise and echo are subtracted, because both vary around the estimate: 6 dB. */
const MARGIN = 4;
/** The maximum factor by which the energy of a quiet microphone is raised, and of a loud one lowered: 20 dB. */
const MAX_GAIN = 100;

/** Decides who spoke from the levels of a complete call. */
export class CallSpeakers {
  /** The energy of each frame: the microphone without noise and echo and at the others' loudness, and the others. */
  readonly #microphone: Float64Array;
  readonly #others: Float64Array;

  /** @param levels complete frames; an incomplete last frame is ignored */
  constructor(levels: Uint8Array) {
    const length = Math.floor(levels.length / CALL_FRAME_BYTES);
    const energyAt = (byte: number) => energies[levels[byte] as number] as number;
    const microphone = Float64Array.from({ length }, (_, frame) => energyAt(2 * frame));
    const others = Float64Array.from({ length }, (_, frame) => energyAt(2 * frame + 1));
    const speech = Math.max(LOWEST_SPEECH, percentile(others, LOUD_SHARE) * SPEECH_RATIO);
    /** The audio that a frame of the microphone may echo. */
    const echoed = others.map((_, frame) =>
      Math.max(...others.subarray(Math.max(0, frame - ECHO_FRAMES + 1), frame + 1)),
    );
    const noise = percentile(microphone, NOISE_SHARE);
    const ratios = microphone
      .map((energy, frame) => energy / Math.max(speech, others[frame] as number))
      .filter((_, frame) => (others[frame] as number) >= speech);
    const echo = ratios.length < MIN_ECHO_FRAMES ? 0 : percentile(ratios, ECHO_SHARE);
    const own = microphone.map((energy, frame) =>
      Math.max(0, energy - MARGIN * (noise + echo * (echoed[frame] as number))),
    );
    // The own voice is loudest while the others are silent; if they never are, all frames count.
    const alone = own.filter((energy, frame) => energy > 0 && (echoed[frame] as number) < speech);
    const ownLoud = percentile(alone.length > 0 ? alone : own, LOUD_SHARE);
    const spoken = others.filter((energy) => energy >= speech);
    const gain =
      ownLoud === 0 || spoken.length === 0
        ? 1
        : Math.max(1 / MAX_GAIN, Math.min(MAX_GAIN, percentile(spoken, LOUD_SHARE) / ownLoud));
    this.#microphone = own.map((energy) => energy * gain);
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
      // A frame counts by its part within the interval. An interval without a length counts its frame.
      const weight = to > from ? Math.min(frame + 1, to) - Math.max(frame, from) : 1;
      const difference = (this.#microphone[frame] as number) - (this.#others[frame] as number);
      balance += weight * difference;
    }
    if (balance === 0) return null;
    return balance > 0 ? 'me' : 'others';
  }
}

/** Returns the value below which a share of the values is; 0 without values. */
function percentile(values: Float64Array, share: number): number {
  return values.toSorted()[Math.floor(share * values.length)] ?? 0;
}
