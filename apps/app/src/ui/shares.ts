/** Minimum visible segment in percent. */
const MIN_SHARE = 2.5;

/**
 * Returns each part's ring segment in percent. The segments add up to 100, and only empty parts are too small to see.
 */
export function ringShares(parts: readonly { readonly bytes: number }[]): readonly number[] {
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total === 0) return parts.map(() => 0);
  const isSmall = parts.map(({ bytes }) => bytes > 0 && (100 * bytes) / total < MIN_SHARE);
  const widened = isSmall.filter(Boolean).length * MIN_SHARE;
  const unwidened = parts.reduce(
    (sum, { bytes }, index) => (isSmall[index] ? sum : sum + bytes),
    0,
  );
  return parts.map(({ bytes }, index) =>
    isSmall[index] ? MIN_SHARE : ((100 - widened) * bytes) / unwidened,
  );
}
