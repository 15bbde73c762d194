import type { Paragraph } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';

/** A match in a transcript: its paragraph, and its UTF-16 offset and length. */
export type Match = { readonly paragraph: string; readonly start: number; readonly length: number };

/** Returns a pattern that matches the text literally, ignoring case. */
function literalPattern(query: string): RegExp {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

/** Returns all matches of a search string, in order. An empty string has no matches. */
export function findMatches(paragraphs: readonly Paragraph[], query: string): Match[] {
  if (query === '') return [];
  const pattern = literalPattern(query);
  return paragraphs.flatMap(({ id, content }) =>
    [...content.matchAll(pattern)].map((match) => ({
      paragraph: id,
      start: match.index,
      length: match[0].length,
    })),
  );
}

/** Returns the new text of every paragraph with matches, keyed by paragraph. */
export function replaceMatches(
  paragraphs: readonly Paragraph[],
  hits: readonly Match[],
  replacement: string,
): Map<string, string> {
  const texts = new Map<string, string>();
  const contents = new Map(paragraphs.map(({ id, content }) => [id, content]));
  // Replace from the end so that earlier offsets stay valid.
  for (const { paragraph, start, length } of hits.toReversed()) {
    const text = texts.get(paragraph) ?? contents.get(paragraph);
    if (text === undefined) continue;
    const next = text.slice(0, start) + replacement + text.slice(start + length);
    // The server rejects longer text, and the edit would be reverted.
    if (next.length <= limits.paragraph.contentMaxLength) texts.set(paragraph, next);
  }
  return texts;
}
