import type { Note, Paragraph } from '@linnet/contract';
import { paragraphAtTime } from '../transcript/words.ts';

/**
 * Returns the notes beside each paragraph, by its id. A note stands at the paragraph that was spoken at its time. Those
 * from before the first one stand at the first.
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
