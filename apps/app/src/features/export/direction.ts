/** Matches the first letter of a string, which determines its direction, as with `dir="auto"`. */
const FIRST_LETTER = /[\p{L}]/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Returns whether text runs right to left. */
export function isRightToLeft(text: string): boolean {
  const [first] = FIRST_LETTER.exec(text) ?? [];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}
