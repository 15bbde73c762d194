/** Minimum visible segment, in percent. */
const LEAST_SHARE = 2.5;

/** Computes the ring segment of each part in percent. The sum is 100, and no non-empty part is invisible. */
export function shares(parts: readonly { readonly bytes: number }[]): readonly number[] {
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total === 0) return parts.map(() => 0);
  const least = parts.map(({ bytes }) => bytes > 0 && (100 * bytes) / total < LEAST_SHARE);
  const widened = least.filter(Boolean).length * LEAST_SHARE;
  const rest = parts.reduce((sum, { bytes }, index) => (least[index] ? sum : sum + bytes), 0);
  return parts.map(({ bytes }, index) =>
    least[index] ? LEAST_SHARE : ((100 - widened) * bytes) / rest,
  );
}
