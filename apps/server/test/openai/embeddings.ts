import { createHash } from 'node:crypto';

/**
 * Computes a vector from the character trigrams of the words in a text. Texts are close if their words resemble each
 * other, such as "reschedule" and "rescheduling", and if they are in the same language. The vector isn't normalized.
 */
export function trigramVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const padded = ` ${word} `;
    for (let index = 0; index + 3 <= padded.length; index += 1) {
      const digest = createHash('sha256')
        .update(padded.slice(index, index + 3))
        .digest();
      const dimension = digest.readUInt32LE() % dimensions;
      const sign = (digest[4] ?? 0) % 2 === 0 ? 1 : -1;
      vector[dimension] = (vector[dimension] ?? 0) + sign;
    }
  }
  // No model returns a zero vector, even for text without words.
  if (!vector.some((value) => value !== 0)) vector[0] = 1;
  return vector;
}
