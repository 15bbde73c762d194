/** The first letter that has a direction decides, as `dir="auto"` does. */
const FIRST_STRONG = /[\p{L}]/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether a text is read from right to left. */
export function isRightToLeft(text: string): boolean {
  const [first] = FIRST_STRONG.exec(text) ?? [];
  return first !== undefined && RIGHT_TO_LEFT.test(first);
}
