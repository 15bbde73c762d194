/** Rounds a time in seconds to milliseconds, the finest resolution in use. */
export function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
