import { type RefObject, useEffect } from 'react';
import type { Hit } from './find.ts';
import { rangeOf } from './spoken-word.ts';

/** Names used in transcript.css: `::highlight(found)`, `::highlight(found-now)`. */
const all = 'found';
const now = 'found-now';

/**
 * Highlights matches in the rendered paragraphs, with the CSS Custom Highlight API.
 * @param drawn changes when other paragraphs are rendered
 */
export function useFoundWords(
  container: RefObject<Element | null>,
  hits: readonly Hit[],
  hit: Hit | null,
  drawn: string,
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
    for (const each of hits) {
      const block = blocks.get(each.paragraph);
      const range = block && rangeOf(block, each.start, each.length);
      if (!range) continue;
      if (each === hit) currentRange = range;
      else ranges.push(range);
    }
    CSS.highlights.set(all, new Highlight(...ranges));
    if (currentRange) CSS.highlights.set(now, new Highlight(currentRange));
    return () => {
      CSS.highlights.delete(all);
      CSS.highlights.delete(now);
    };
  }, [container, hits, hit, drawn]);
}
