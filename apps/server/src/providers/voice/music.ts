import { FRAME_SECONDS } from '../speech/slices.ts';

/**
 * Music is classified over windows of 3 s that contain at least 1.5 s of loud frames. The thresholds were chosen by
 * comparing synthesized music with speech in eight languages: at half speed, shifted up and down in pitch, with echo,
 * and over music that is 5 and 10 dB quieter. They classify none of that speech as music.
 */
const WINDOW = 3;
const MIN_LOUD = 1.5;
/** Fraction of sustained pitches that makes a frame musical. In speech over music, only pauses reach it. */
const SUSTAINED = 0.5;
/** Minimum fraction of musical frames. */
const MUSICAL_FRAMES = 0.9;
/** Minimum fraction of the power that is in sustained pitches. A voice over music is louder than the music. */
const SUSTAINED_POWER = 0.7;

export interface LoudFrame {
  /** Power in decibels. */
  readonly level: number;
  /** Fraction of sustained pitches, from 0 to 1. */
  readonly sustained: number;
}

/**
 * Marks frames that are certainly music, because all the classified windows that contain them are music.
 * @param loudAt returns a frame, or undefined if it isn't loud
 * @returns 1 for a music frame, otherwise 0
 */
export function musicalFrames(
  length: number,
  loudAt: (frame: number) => LoudFrame | undefined,
): Uint8Array {
  const size = Math.round(WINDOW / FRAME_SECONDS);
  const minLoudFrames = Math.round(MIN_LOUD / FRAME_SECONDS);
  const music = new Uint8Array(length);
  const sums = { frames: 0, musicalFrames: 0, power: 0, sustainedPower: 0 };
  const count = (frame: number, sign: 1 | -1) => {
    const loud = loudAt(frame);
    if (!loud) return;
    const power = 10 ** (loud.level / 10);
    sums.frames += sign;
    sums.power += sign * power;
    sums.sustainedPower += sign * power * loud.sustained;
    if (loud.sustained >= SUSTAINED) sums.musicalFrames += sign;
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
