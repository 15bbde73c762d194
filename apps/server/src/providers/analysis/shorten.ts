/**
 * Truncates a string to `length` UTF-16 code units including an ellipsis, at a word boundary and never within a
 * character.
 */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const truncated = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  const space = truncated.lastIndexOf(' ');
  return `${(space > length / 2 ? truncated.slice(0, space) : truncated).trimEnd()}…`;
}
