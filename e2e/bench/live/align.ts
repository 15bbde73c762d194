/**
 * Aligns two word lists with the fewest edits (Levenshtein).
 * @returns for each reference word, the index of the matching word in the transcript, or null if it's missing
 */
export function align(
  reference: readonly string[],
  transcript: readonly string[],
): (number | null)[] {
  const width = transcript.length + 1;
  const cost = new Uint32Array((reference.length + 1) * width);
  const costAt = (row: number, column: number) => cost[row * width + column] ?? 0;
  for (let column = 0; column < width; column++) cost[column] = column;
  for (const [row, word] of reference.entries()) {
    cost[(row + 1) * width] = row + 1;
    for (const [column, other] of transcript.entries()) {
      cost[(row + 1) * width + column + 1] = Math.min(
        costAt(row, column) + (word === other ? 0 : 1),
        costAt(row, column + 1) + 1,
        costAt(row + 1, column) + 1,
      );
    }
  }
  const aligned: (number | null)[] = reference.map(() => null);
  let [row, column] = [reference.length, transcript.length];
  while (row > 0 && column > 0) {
    const isSame = reference[row - 1] === transcript[column - 1];
    if (costAt(row, column) === costAt(row - 1, column - 1) + (isSame ? 0 : 1)) {
      if (isSame) aligned[row - 1] = column - 1;
      row -= 1;
      column -= 1;
    } else if (costAt(row, column) === costAt(row - 1, column) + 1) row -= 1;
    else column -= 1;
  }
  return aligned;
}
