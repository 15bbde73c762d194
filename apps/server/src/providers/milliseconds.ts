/** Rounds a time in seconds to the millisecond, the finest resolution used. */
export function roundToMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
