import type { LiveText } from '@linnet/sync';

/** Maximum number of characters: more than two lines of a row. */
const maxLength = 240;

/** Returns the end of a live text: the last settled (final) words, and the tentative words, which may still change. */
export function latestWords({ passages, tentative }: Pick<LiveText, 'passages' | 'tentative'>): {
  readonly settled: string;
  readonly tentative: string;
} {
  const unsettled = lastPart(tentative?.text ?? '', maxLength);
  const settled = passages
    .slice(-3)
    .map(({ text }) => text)
    .join(' ');
  return { settled: lastPart(settled, maxLength - unsettled.length), tentative: unsettled };
}

/** Returns at most the last `length` characters, from the start of a word if there are spaces. */
function lastPart(text: string, length: number): string {
  if (text.length <= length) return text;
  const part = text.slice(text.length - Math.max(0, length));
  const space = part.indexOf(' ');
  return space < 0 ? part : part.slice(space + 1);
}
