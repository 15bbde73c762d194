/**
 * Returns the cost of transcribing a recording, in minutes: its duration rounded up, but at least one minute.
 * @param seconds the recording's duration
 */
export function minutesFor(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}

/** Returns a recording's duration in whole seconds, as shown in the app and reported by the API. */
export function wholeSeconds(seconds: number): number {
  return Math.round(seconds);
}

/** Maximum silence to include before and after a range of paragraphs, in seconds. */
const maxPaddingSeconds = 1;

type Times = { readonly start_time: number; readonly end_time: number };

/**
 * Returns the time range to transcribe for a range of paragraphs, in seconds from the start of the recording. Includes
 * some silence on both sides, but never overlaps other paragraphs.
 * @param before the paragraph before the range, if any
 * @param after the paragraph after it, if any
 */
export function audioForRange(
  before: Times | undefined,
  first: Times,
  last: Times,
  after: Times | undefined,
): { readonly start: number; readonly end: number } {
  const earliest = Math.max(0, before?.end_time ?? 0, first.start_time - maxPaddingSeconds);
  const latest = Math.min(after?.start_time ?? Infinity, last.end_time + maxPaddingSeconds);
  return {
    start: Math.min(first.start_time, earliest),
    end: Math.max(last.end_time, latest),
  };
}
