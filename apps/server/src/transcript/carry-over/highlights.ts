/** Carries highlights over to another transcript, by time. */
import { findParagraphs } from './paragraphs-by-time.ts';
import { Timeline } from './timeline.ts';
import type { Carried, SourceParagraph, TargetParagraph, Unplaced } from './types.ts';

export function carryHighlights(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): { readonly highlights: readonly Carried<1>[]; readonly unplaced: readonly Unplaced[] } {
  const timeline = new Timeline(target);
  const highlights: Carried<1>[] = [];
  const unplaced: Unplaced[] = [];
  for (const { id, isHighlighted, content, start, end } of source) {
    if (!isHighlighted) continue;
    const goals = findParagraphs({ start, end }, timeline);
    if (goals.length === 0) unplaced.push({ kind: 'highlight', text: content, time: start });
    for (const { id: paragraph } of goals) highlights.push({ paragraph, value: 1, sources: [id] });
  }
  return { highlights, unplaced };
}
