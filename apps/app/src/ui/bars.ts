/** Computes the geometry of waveforms from a recording's peaks. */

/** Minimum visible bar height, as a fraction of the full height. */
const minHeight = 0.08;

/**
 * Reduces `peaks` (loudness, 0–255) to `bars` heights from 0 to 1. Empty peaks produce a flat, quiet line. Heights are
 * relative to the loudest bar, so even a distant voice has a visible shape.
 */
export function barHeights(peaks: Uint8Array, bars: number): number[] {
  if (peaks.length === 0) return new Array<number>(bars).fill(minHeight);
  const heights: number[] = [];
  for (let bar = 0; bar < bars; bar += 1) {
    const from = Math.floor((bar * peaks.length) / bars);
    const to = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / bars));
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += peaks[index] ?? 0;
    // Over several seconds of speech, means and maxima barely differ, so the middle sample determines the shape. The
    // mean keeps a single click from dominating a long silence.
    const middlePeak = peaks[(from + to) >> 1] ?? 0;
    heights.push((2 * middlePeak + sum / (to - from)) / 3);
  }
  // 24 of 255 is the level of a quiet room. As a lower limit, it keeps silence from being amplified.
  const maxHeight = Math.max(24, ...heights);
  return heights.map((value) => Math.max(minHeight, (value / maxHeight) ** 0.9));
}

/**
 * Returns the bar height for a live level. The maximum of a live recording is unknown, so the height is the level's
 * square root, which makes a distant voice visible without clipping a close one.
 */
export function levelHeight(level: number): number {
  return Math.max(minHeight, Math.sqrt(level));
}

/**
 * Builds an SVG path of vertical strokes, centered in a box of `bars × step` by `height`.
 * @param first index of the first stroke
 */
export function barPath(
  heights: readonly number[],
  step: number,
  height: number,
  first = 0,
): string {
  const available = height - 2;
  return heights
    .map((value, index) => {
      const length = value * available;
      const x = (first + index) * step + step / 2;
      return `M${round(x)} ${round((height - length) / 2)}v${round(length)}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
