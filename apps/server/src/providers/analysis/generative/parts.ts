/** Splits input that is too long for one request. */

/**
 * Groups consecutive pieces into parts of at most `budget` tokens. Pieces are never split: a piece that exceeds the
 * budget becomes a separate part.
 * @param countTokens returns the number of tokens in a piece
 * @param atLeast minimum number of pieces in every part but the last, regardless of the budget
 */
export function divide<Piece>(
  pieces: readonly Piece[],
  countTokens: (piece: Piece) => number,
  budget: number,
  atLeast = 1,
): Piece[][] {
  const parts: Piece[][] = [];
  let size = 0;
  for (const piece of pieces) {
    const tokens = countTokens(piece);
    const part = parts.at(-1);
    if (part && (part.length < atLeast || size + tokens <= budget)) {
      part.push(piece);
      size += tokens;
    } else {
      parts.push([piece]);
      size = tokens;
    }
  }
  return parts;
}

/** Returns the first pieces that together have at most `budget` tokens. */
export function takeFitting<Piece>(
  pieces: readonly Piece[],
  countTokens: (piece: Piece) => number,
  budget: number,
): Piece[] {
  let size = 0;
  return pieces.filter((piece) => {
    size += countTokens(piece);
    return size <= budget;
  });
}

/** Minimum number of characters in a string that can be halved. No model's context window is that small. */
const MIN_HALVED_LENGTH = 400;

/**
 * Splits a string near its middle, at the end of a sentence or else of a word. The concatenated halves are the original
 * string.
 * @returns null if the string is too short
 */
export function halve(text: string): [string, string] | null {
  if (text.length < MIN_HALVED_LENGTH) return null;
  for (const granularity of ['sentence', 'word', 'grapheme'] as const) {
    const starts = [...new Intl.Segmenter(undefined, { granularity }).segment(text)]
      .map(({ index }) => index)
      .filter((index) => index > text.length / 4 && index < (text.length * 3) / 4);
    const distance = (index: number) => Math.abs(index - text.length / 2);
    const [middle] = starts.toSorted((a, b) => distance(a) - distance(b));
    if (middle !== undefined) return [text.slice(0, middle), text.slice(middle)];
  }
  return null;
}
