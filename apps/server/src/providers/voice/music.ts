import { FRAME_SECONDS } from '../speech/slices.ts';

/**
 * Length of the windows in which music is classified, in seconds. All thresholds here were chosen by comparing
 * synthesized music with speech in eight languages: at half speed, shifted up and down in pitch, with echo, and over
 * music that is 5 and 10 dB quieter. None of that speech is classified as music.
 */
const WINDOW_SECONDS = 3;
/** Minimum length of loud frames in a classified window, in seconds. */
const MIN_LOUD_SECONDS = 1.5;
/** Minimum fraction of sustained pitches in a musical frame. In speech over music, only pauses reach it. */
const SUSTAINED_SHARE = 0.5;
/** Minimum fraction of musical frames in music. */
const MUSICAL_FRAMES = 0.9;
/**
 * Minimum fraction of the power in sustained pitches. In speech over music, the voice has more power than the music.
 */
const SUSTAINED_POWER = 0.7;

export interface LoudFrame {
  /** Power in decibels. */
  readonly level: number;
  /** Fraction of sustained pitches, from 0 to 1. */
  readonly sustained: number;
}

/**
 * Marks the frames that are certainly music: all classified windows that contain them are music.
 * @param loudAt returns a frame, or undefined if it isn't loud
 * @returns 1 for a music frame, otherwise 0
 */
export function musicalFrames(
  length: number,
  loudAt: (frame: number) => LoudFrame | undefined,
): Uint8Array {
  const size = Math.round(WINDOW_SECONDS / FRAME_SECONDS);
  const minLoudFrames = Math.round(MIN_LOUD_SECONDS / FRAME_SECONDS);
  const music = new Uint8Array(length);
  const sums = { frames: 0, musicalFrames: 0, power: 0, sustainedPower: 0 };
  const count = (frame: number, sign: 1 | -1) => {
    const loudFrame = loudAt(frame);
    if (!loudFrame) return;
    const power = 10 ** (loudFrame.level / 10);
    sums.frames += sign;
    sums.power += sign * power;
    sums.sustainedPower += sign * power * loudFrame.sustained;
    if (loudFrame.sustained >= SUSTAINED_SHARE) sums.musicalFrames += sign;
  };
  let otherUntil = 0;
  let musicUntil = 0;
  for (let from = 1 - size; from < length; from += 1) {
    count(from - 1, -1);
    count(from + size - 1, 1);
    if (sums.frames >= minLoudFrames) {
      const isMusic =
        sums.musicalFrames >= sums.frames * MUSICAL_FRAMES &&
        sums.sustainedPower >= sums.power * SUSTAINED_POWER;
      if (isMusic) musicUntil = from + size;
      else otherUntil = from + size;
    }
    if (from >= otherUntil && from < musicUntil) music[from] = 1;
  }
  return music;
}
