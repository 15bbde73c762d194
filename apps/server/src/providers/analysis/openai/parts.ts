/** Divides input that is too long for one request. Pieces are never cut. */

/** Overestimates a text's tokens: three bytes each, which is one Chinese character or three English letters. */
function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/**
 * Groups consecutive pieces into parts of at most `budget` tokens. A larger piece becomes its own part.
 * @param atLeast minimum pieces in every part but the last, whatever the budget
 */
export function divide<Piece>(
  pieces: readonly Piece[],
  textOf: (piece: Piece) => string,
  budget: number,
  atLeast = 1,
): Piece[][] {
  const parts: Piece[][] = [];
  let size = 0;
  for (const piece of pieces) {
    const tokens = countTokens(textOf(piece));
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
