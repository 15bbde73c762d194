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
