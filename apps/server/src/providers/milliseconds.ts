/** A time in seconds, to the millisecond: finer is neither shown nor meant. */
export function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
