/** Measures errors in a transcript compared with a reference. */

export interface WordErrors {
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
  /** Number of words in the reference. */
  readonly reference: number;
}

/** Returns the words in lower case and without punctuation, except for apostrophes within words. */
export function normalizeWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu) ?? []
  );
}

/** Counts, by kind, the minimum edits (Levenshtein) that turn `reference` into `transcript`. */
export function countWordErrors(
  reference: readonly string[],
  transcript: readonly string[],
): WordErrors {
  type Cell = { cost: number; substitutions: number; deletions: number; insertions: number };
  let previousRow: Cell[] = Array.from({ length: transcript.length + 1 }, (_, n) => ({
    cost: n,
    substitutions: 0,
    deletions: 0,
    insertions: n,
  }));
  for (const [row, word] of reference.entries()) {
    const currentRow: Cell[] = [
      { cost: row + 1, substitutions: 0, deletions: row + 1, insertions: 0 },
    ];
    for (const [column, other] of transcript.entries()) {
      const diagonal = previousRow[column] as Cell;
      const up = previousRow[column + 1] as Cell;
      const leftCell = currentRow[column] as Cell;
      if (word === other) currentRow.push(diagonal);
      else if (diagonal.cost <= up.cost && diagonal.cost <= leftCell.cost) {
        const { cost, substitutions } = diagonal;
        currentRow.push({ ...diagonal, cost: cost + 1, substitutions: substitutions + 1 });
      } else if (up.cost <= leftCell.cost) {
        currentRow.push({ ...up, cost: up.cost + 1, deletions: up.deletions + 1 });
      } else
        currentRow.push({
          ...leftCell,
          cost: leftCell.cost + 1,
          insertions: leftCell.insertions + 1,
        });
    }
    previousRow = currentRow;
  }
  const { substitutions, deletions, insertions } = previousRow.at(-1) as Cell;
  return { substitutions, deletions, insertions, reference: reference.length };
}

/**
 * Returns the number of errors divided by the number of reference words: 0 if both are 0, `Infinity` if words were
 * recognized in silence.
 */
export function errorRate(errors: WordErrors): number {
  const errorCount = errors.substitutions + errors.deletions + errors.insertions;
  return errorCount === 0 ? 0 : errorCount / errors.reference;
}

/** Returns the word error rate of a transcript compared with a reference, both in plain text. */
export function wordErrorRate(reference: string, transcript: string): number {
  return errorRate(countWordErrors(normalizeWords(reference), normalizeWords(transcript)));
}

/**
 * Returns the word error rate over several transcripts: all errors divided by all words, so longer transcripts have
 * more weight.
 */
export function pooledWordErrorRate(
  texts: Iterable<{ readonly reference: string; readonly transcript: string }>,
): number {
  const sum = { substitutions: 0, deletions: 0, insertions: 0, reference: 0 };
  for (const { reference, transcript } of texts) {
    const errors = countWordErrors(normalizeWords(reference), normalizeWords(transcript));
    sum.substitutions += errors.substitutions;
    sum.deletions += errors.deletions;
    sum.insertions += errors.insertions;
    sum.reference += errors.reference;
  }
  return errorRate(sum);
}
