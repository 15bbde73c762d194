import type { Paragraph } from '@linnet/contract';

/** A silent section, in seconds. */
export type Silence = { readonly from: number; readonly to: number };

/** Minimum length of a silence in seconds. Shorter pauses belong to speech. */
const minSeconds = 1.2;
/** Margin in seconds at both ends of a silence, to avoid cutting off breaths or consonants. */
const marginSeconds = 0.25;
/** Peak amplitudes from 0 to 1. Anything up to −50 dB is always silent; anything above −38 dB never is. */
const alwaysSilent = 0.003;
const neverSilent = 0.0126;
/** The noise level is the 10th percentile of the levels. Silence is at most twice as loud. */
const noiseQuantile = 0.1;
const noiseFactor = 2;

/**
 * Finds the sections where the amplitude stays near the noise level and below the softest speech.
 * @param levels peak amplitudes from 0 to 1, one for each `step` seconds
 * @param start start of the section, in seconds
 */
export function findSilences(levels: Float32Array, step: number, start: number): Silence[] {
  if (levels.length === 0) return [];
  const noise = levels.toSorted()[Math.floor(levels.length * noiseQuantile)] ?? 0;
  const limit = Math.min(neverSilent, Math.max(alwaysSilent, noise * noiseFactor));
  const silences: Silence[] = [];
  let silentFrom: number | null = null;
  for (let index = 0; index <= levels.length; index += 1) {
    const isQuiet = index < levels.length && (levels[index] ?? 1) <= limit;
    if (isQuiet) {
      silentFrom ??= index;
    } else if (silentFrom !== null) {
      const from = start + silentFrom * step;
      const to = start + index * step;
      if (to - from >= minSeconds)
        silences.push({ from: from + marginSeconds, to: to - marginSeconds });
      silentFrom = null;
    }
  }
  return silences;
}

/** Returns whether the transcript has a word in a section detected as silent. */
export function hasWordIn({ from, to }: Silence, paragraphs: readonly Paragraph[]): boolean {
  return paragraphs.some(
    ({ start_time, end_time, words }) =>
      start_time < to &&
      end_time > from &&
      (words?.length ? words.some(({ start, end }) => start < to && end > from) : true),
  );
}
