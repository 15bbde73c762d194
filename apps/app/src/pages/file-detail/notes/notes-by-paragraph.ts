import type { Note, Paragraph } from '@linnet/contract';
import { paragraphAtTime } from '../transcript/words.ts';

/**
 * Returns the notes shown beside each paragraph, keyed by paragraph ID. A note is shown beside the paragraph spoken at
 * its time, or beside the first paragraph if its time is earlier than that.
 */
export function notesByParagraph(
  notes: readonly Note[],
  paragraphs: readonly Paragraph[],
): ReadonlyMap<string, readonly Note[]> {
  const byParagraph = new Map<string, Note[]>();
  for (const note of notes) {
    const paragraph = paragraphs[Math.max(0, paragraphAtTime(paragraphs, note.time))];
    if (!paragraph) continue;
    byParagraph.set(paragraph.id, [...(byParagraph.get(paragraph.id) ?? []), note]);
  }
  return byParagraph;
}
