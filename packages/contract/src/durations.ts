/**
 * Returns what transcribing a recording costs in minutes: its duration, rounded up, and at least one minute.
 * @param seconds the duration of the recording
 */
export function minutesFor(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}

/** Returns the duration of a recording in whole seconds, as the app shows it and the API states it. */
export function wholeSeconds(seconds: number): number {
  return Math.round(seconds);
}
