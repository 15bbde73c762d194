/** Word error rate: how far a transcript is from what was said. */

export interface WordErrors {
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
  /** Words that were said. */
  readonly reference: number;
}

/** Lower-case words without punctuation; apostrophes inside a word stay. */
export function normalizeWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu) ?? []
  );
}

/** The fewest edits (Levenshtein) that turn `said` into `heard`, by kind. */
export function countWordErrors(said: readonly string[], heard: readonly string[]): WordErrors {
  type Cell = { cost: number; substitutions: number; deletions: number; insertions: number };
  let above: Cell[] = Array.from({ length: heard.length + 1 }, (_, n) => ({
    cost: n,
    substitutions: 0,
    deletions: 0,
    insertions: n,
  }));
  for (const [row, word] of said.entries()) {
    const line: Cell[] = [{ cost: row + 1, substitutions: 0, deletions: row + 1, insertions: 0 }];
    for (const [column, other] of heard.entries()) {
      const diagonal = above[column] as Cell;
      const up = above[column + 1] as Cell;
      const left = line[column] as Cell;
      if (word === other) line.push(diagonal);
      else if (diagonal.cost <= up.cost && diagonal.cost <= left.cost) {
        const { cost, substitutions } = diagonal;
        line.push({ ...diagonal, cost: cost + 1, substitutions: substitutions + 1 });
      } else if (up.cost <= left.cost) {
        line.push({ ...up, cost: up.cost + 1, deletions: up.deletions + 1 });
      } else line.push({ ...left, cost: left.cost + 1, insertions: left.insertions + 1 });
    }
    above = line;
  }
  const { substitutions, deletions, insertions } = above.at(-1) as Cell;
  return { substitutions, deletions, insertions, reference: said.length };
}

/** Errors ÷ words said. 0 when both are empty, `Infinity` when words were heard in silence. */
export function rateOf(errors: WordErrors): number {
  const wrong = errors.substitutions + errors.deletions + errors.insertions;
  return wrong === 0 ? 0 : wrong / errors.reference;
}

/** Word error rate of a transcript against what was said, both as plain text. */
export function wordErrorRate(said: string, heard: string): number {
  return rateOf(countWordErrors(normalizeWords(said), normalizeWords(heard)));
}

/** One rate over several texts: all errors ÷ all words, so that long texts weigh more. */
export function pooledWordErrorRate(
  texts: Iterable<{ readonly said: string; readonly heard: string }>,
): number {
  const sum = { substitutions: 0, deletions: 0, insertions: 0, reference: 0 };
  for (const { said, heard } of texts) {
    const errors = countWordErrors(normalizeWords(said), normalizeWords(heard));
    sum.substitutions += errors.substitutions;
    sum.deletions += errors.deletions;
    sum.insertions += errors.insertions;
    sum.reference += errors.reference;
  }
  return rateOf(sum);
}
