/** The drawing of a recording from its own loudness. */

/** Below this a bar would be a dot too small to see, in parts of the height. */
const quietest = 0.08;

/**
 * `bars` heights from 0 to 1, one for each stretch; empty peaks give an even, quiet line.
 * Loudness is 0–255 in `peaks`; the loudest of a recording reaches the top, so that a distant voice
 * still has a shape.
 */
export function barHeights(peaks: Uint8Array, bars: number): number[] {
  if (peaks.length === 0) return new Array<number>(bars).fill(quietest);
  const heights: number[] = [];
  for (let bar = 0; bar < bars; bar += 1) {
    const from = Math.floor((bar * peaks.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars));
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += peaks[index] ?? 0;
    // Over seconds of talk every mean and every maximum is alike: the moment in the middle gives a
    // recording its face, the mean keeps a long silence from being hit by one click.
    const moment = peaks[(from + to) >> 1] ?? 0;
    heights.push((2 * moment + sum / (to - from)) / 3);
  }
  // 24 of 255 is a quiet room: silence must not be blown up into speech.
  const top = Math.max(24, ...heights);
  return heights.map((value) => Math.max(quietest, (value / top) ** 0.9));
}

/**
 * The height of a level of which nobody knows yet what the loudest will be. Its square root: a voice across
 * the room has a shape, and one close by does not fill everything.
 */
export function levelHeight(level: number): number {
  return Math.max(quietest, Math.sqrt(level));
}

/**
 * An SVG path of upright strokes, centred, in a box of `bars × step` by `height`.
 * @param first place of the first stroke
 */
export function barPath(
  heights: readonly number[],
  step: number,
  height: number,
  first = 0,
): string {
  const room = height - 2;
  return heights
    .map((value, index) => {
      const length = value * room;
      const x = (first + index) * step + step / 2;
      return `M${round(x)} ${round((height - length) / 2)}v${round(length)}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
