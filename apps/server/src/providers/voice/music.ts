import { FRAME_SECONDS } from '../speech/slices.ts';

/**
 * Whether something is music is judged by what is loud within so many seconds, and not by less than so many.
 * These numbers were chosen by measuring speech in eight languages, also slowed to a half, higher, lower and
 * echoing, and with music 5 and 10 dB below it, against music made by programs: all of the speech stays.
 */
const WINDOW = 3;
const LEAST_LOUD = 1.5;
/** In music nearly all frames have mostly held pitches; in speech over music those between words have. */
const MOSTLY_HELD = 0.5;
const HELD_FRAMES = 0.9;
/** And of its power so much is held: what is spoken over music is louder than it. */
const HELD_POWER = 0.7;

/** Measurements of a frame. */
export interface LoudFrame {
  /** Decibels. */
  readonly level: number;
  /** Share of it that are held pitches. */
  readonly held: number;
}

/**
 * The frames that are music for certain: no window that has them is anything else.
 * @param loudAt a frame, undefined where it is not loud
 * @returns one for each frame of music, nought for the others
 */
export function musicalFrames(
  length: number,
  loudAt: (frame: number) => LoudFrame | undefined,
): Uint8Array {
  const size = Math.round(WINDOW / FRAME_SECONDS);
  const least = Math.round(LEAST_LOUD / FRAME_SECONDS);
  const music = new Uint8Array(length);
  const sums = { frames: 0, heldFrames: 0, power: 0, heldPower: 0 };
  const count = (frame: number, sign: 1 | -1) => {
    const loud = loudAt(frame);
    if (!loud) return;
    const power = 10 ** (loud.level / 10);
    sums.frames += sign;
    sums.power += sign * power;
    sums.heldPower += sign * power * loud.held;
    if (loud.held >= MOSTLY_HELD) sums.heldFrames += sign;
  };
  let otherUntil = 0;
  let musicUntil = 0;
  for (let from = 1 - size; from < length; from += 1) {
    count(from - 1, -1);
    count(from + size - 1, 1);
    if (sums.frames >= least) {
      const isMusic =
        sums.heldFrames >= sums.frames * HELD_FRAMES && sums.heldPower >= sums.power * HELD_POWER;
      if (isMusic) musicUntil = from + size;
      else otherUntil = from + size;
    }
    if (from >= otherUntil && from < musicUntil) music[from] = 1;
  }
  return music;
}
