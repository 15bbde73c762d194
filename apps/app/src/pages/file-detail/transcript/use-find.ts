import type { Paragraph } from '@linnet/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { findMatches, type Match, replaceMatches } from './find.ts';

/** Manages a transcript search: query, matches, and the current match. */
export function useFind(
  paragraphs: readonly Paragraph[],
  open: boolean,
  writeAll: (texts: ReadonlyMap<string, string>) => void,
) {
  const [query, setQuery] = useState('');
  const [currentIndex, setCurrentIndex] = useState(0);
  // Deferred so that typing stays responsive with thousands of paragraphs.
  const deferredQuery = useDeferredValue(open ? query : '');
  const hits = useMemo(() => findMatches(paragraphs, deferredQuery), [paragraphs, deferredQuery]);
  const index = hits.length === 0 ? -1 : Math.min(currentIndex, hits.length - 1);
  const hit: Match | null = hits[index] ?? null;
  return {
    hits,
    hit,
    query,
    at: index,
    search(text: string) {
      setQuery(text);
      setCurrentIndex(0);
    },
    move: (step: 1 | -1) =>
      setCurrentIndex(hits.length === 0 ? 0 : (index + step + hits.length) % hits.length),
    replace: (replacement: string) =>
      hit && writeAll(replaceMatches(paragraphs, [hit], replacement)),
    replaceAll: (replacement: string) => writeAll(replaceMatches(paragraphs, hits, replacement)),
  };
}
