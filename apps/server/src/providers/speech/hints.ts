/**
 * Joins as many vocabulary entries as fit (most important first) to a hint for an engine.
 * @param maxBytes maximum length of the hint in UTF-8
 */
export function joinHints(
  vocabulary: readonly string[],
  separator: string,
  maxBytes: number,
): string {
  let hints = '';
  for (const entry of vocabulary) {
    const extended = hints === '' ? entry : `${hints}${separator}${entry}`;
    if (Buffer.byteLength(extended) > maxBytes) break;
    hints = extended;
  }
  return hints;
}
