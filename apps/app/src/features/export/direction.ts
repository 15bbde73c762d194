/** The first letter determines the direction, as with `dir="auto"`. */
const FIRST_STRONG = /[\p{L}]/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether a text runs from right to left. */
export function isRightToLeft(text: string): boolean {
  const [first] = FIRST_STRONG.exec(text) ?? [];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}
