/** Carries highlights over to another transcript, by time. */
import { findParagraphs } from './paragraphs-by-time.ts';
import { Timeline } from './timeline.ts';
import type {
  CarriedValue,
  SourceParagraph,
  TargetParagraph,
  UnplacedChangeContent,
} from './types.ts';

export function carryHighlights(
  source: readonly SourceParagraph[],
  target: readonly TargetParagraph[],
): {
  readonly highlights: readonly CarriedValue<1>[];
  readonly unplaced: readonly UnplacedChangeContent[];
} {
  const timeline = new Timeline(target);
  const highlights: CarriedValue<1>[] = [];
  const unplaced: UnplacedChangeContent[] = [];
  for (const { id, isHighlighted, content, start, end } of source) {
    if (!isHighlighted) continue;
    const goals = findParagraphs({ start, end }, timeline);
    if (goals.length === 0) unplaced.push({ kind: 'highlight', text: content, time: start });
    for (const { id: paragraph } of goals) highlights.push({ paragraph, value: 1, sources: [id] });
  }
  return { highlights, unplaced };
}
