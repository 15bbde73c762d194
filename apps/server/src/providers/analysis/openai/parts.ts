/** Divides what is too long for one question. Nothing is cut: a part is of whole pieces. */

/** Tokens of a text, rather too many: three bytes each, a character of Chinese or three letters of English. */
function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/**
 * Pieces in order, in parts of at most `budget` tokens; a piece beyond it is a part of its own.
 * @param atLeast pieces that every part but the last has, whatever they take
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
