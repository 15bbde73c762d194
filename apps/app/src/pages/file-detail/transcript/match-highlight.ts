import { type RefObject, useEffect } from 'react';
import type { Match } from './find.ts';
import { createTextRange } from './spoken-word.ts';

/** Highlight names used in transcript.css: `::highlight(found)`, `::highlight(found-now)`. */
const allMatches = 'found';
const currentMatch = 'found-now';

/**
 * Highlights matches in the rendered paragraphs using the CSS Custom Highlight API.
 * @param renderedKeys changes whenever the set of rendered paragraphs changes
 */
export function useMatchHighlight(
  container: RefObject<Element | null>,
  hits: readonly Match[],
  hit: Match | null,
  renderedKeys: string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: newly rendered paragraphs are new elements.
  useEffect(() => {
    if (hits.length === 0 || !('highlights' in CSS)) return;
    const blocks = new Map(
      [...(container.current?.querySelectorAll('[data-paragraph-id]') ?? [])].map((block) => [
        block.getAttribute('data-paragraph-id'),
        block,
      ]),
    );
    const ranges: Range[] = [];
    let currentRange: Range | null = null;
    for (const match of hits) {
      const block = blocks.get(match.paragraph);
      const range = block && createTextRange(block, match.start, match.length);
      if (!range) continue;
      if (match === hit) currentRange = range;
      else ranges.push(range);
    }
    CSS.highlights.set(allMatches, new Highlight(...ranges));
    if (currentRange) CSS.highlights.set(currentMatch, new Highlight(currentRange));
    return () => {
      CSS.highlights.delete(allMatches);
      CSS.highlights.delete(currentMatch);
    };
  }, [container, hits, hit, renderedKeys]);
}
