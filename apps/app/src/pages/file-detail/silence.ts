import type { Paragraph } from '@linnet/contract';

/** A stretch without a sound, in seconds. */
export type Silence = { readonly from: number; readonly to: number };

/** Shorter pauses belong to speech. Seconds. */
const leastSeconds = 1.2;
/** What is left of a silence at both its ends, so that no breath and no consonant is cut. Seconds. */
const marginSeconds = 0.25;
/** Largest amplitudes, 0 to 1. Below −50 dB it is always silent; above −38 dB it never is. */
const surelySilent = 0.003;
const surelySound = 0.0126;
/** The quietest tenth of a stretch is its noise; silence is up to twice that. */
const quietPart = 0.1;
const aboveNoise = 2;

/**
 * Where a stretch is silent: where its amplitude stays near that of its quietest moments, and below what
 * the softest word would be.
 * @param levels largest amplitudes, 0 to 1, one for each `step` seconds
 * @param start where the stretch begins, seconds
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

/** Whether anything is said in a silence, as the transcript has it; then it is none. */
export function isSpokenIn({ from, to }: Silence, paragraphs: readonly Paragraph[]): boolean {
  return paragraphs.some(
    ({ start_time, end_time, words }) =>
      start_time < to &&
      end_time > from &&
      (words?.length ? words.some(({ start, end }) => start < to && end > from) : true),
  );
}
