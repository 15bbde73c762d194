import type { Paragraph } from '@linnet/contract';

/** A silent section, in seconds. */
export type Silence = { readonly from: number; readonly to: number };

/** Shorter pauses are part of speech. Seconds. */
const leastSeconds = 1.2;
/** Margin at both ends of a silence, so that no breath or consonant is cut. Seconds. */
const marginSeconds = 0.25;
/** Peak amplitudes, 0 to 1. Below −50 dB is always silent; above −38 dB never is. */
const surelySilent = 0.003;
const surelySound = 0.0126;
/** The noise level is the quietest tenth of a section; silence is up to twice that. */
const quietPart = 0.1;
const aboveNoise = 2;

/**
 * Finds silences: where the amplitude stays near the noise level and below the softest speech.
 * @param levels peak amplitudes, 0 to 1, one for each `step` seconds
 * @param start start of the section, in seconds
 */
export function silences(levels: Float32Array, step: number, start: number): Silence[] {
  if (levels.length === 0) return [];
  const noise = levels.toSorted()[Math.floor(levels.length * quietPart)] ?? 0;
  const limit = Math.min(surelySound, Math.max(surelySilent, noise * aboveNoise));
  const found: Silence[] = [];
  let began: number | null = null;
  for (let index = 0; index <= levels.length; index += 1) {
    const quiet = index < levels.length && (levels[index] ?? 1) <= limit;
    if (quiet) {
      began ??= index;
    } else if (began !== null) {
      const from = start + began * step;
      const to = start + index * step;
      if (to - from >= leastSeconds)
        found.push({ from: from + marginSeconds, to: to - marginSeconds });
      began = null;
    }
  }
  return found;
}

/** Whether the transcript has a word within a silence; if so, it is not silent. */
export function isSpokenIn({ from, to }: Silence, paragraphs: readonly Paragraph[]): boolean {
  return paragraphs.some(
    ({ start_time, end_time, words }) =>
      start_time < to &&
      end_time > from &&
      (words?.length ? words.some(({ start, end }) => start < to && end > from) : true),
  );
}
