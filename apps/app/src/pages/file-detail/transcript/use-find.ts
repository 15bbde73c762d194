import type { Paragraph } from '@linnet/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { findMatches, type Match, replaceMatches } from './find.ts';

/** Search state of a transcript: query, matches, and the current match. */
export function useFind(
  paragraphs: readonly Paragraph[],
  open: boolean,
  writeAll: (texts: ReadonlyMap<string, string>) => void,
) {
  const [query, setQuery] = useState('');
  const [place, setPlace] = useState(0);
  // Deferred, so that typing stays responsive with thousands of paragraphs.
  const deferredQuery = useDeferredValue(open ? query : '');
  const hits = useMemo(() => findMatches(paragraphs, deferredQuery), [paragraphs, deferredQuery]);
  const at = hits.length === 0 ? -1 : Math.min(place, hits.length - 1);
  const hit: Match | null = hits[at] ?? null;
  return {
    hits,
    hit,
    query,
    at,
    want(text: string) {
      setQuery(text);
      setPlace(0);
    },
    move: (by: 1 | -1) => setPlace(hits.length === 0 ? 0 : (at + by + hits.length) % hits.length),
    replace: (by: string) => hit && writeAll(replaceMatches(paragraphs, [hit], by)),
    replaceAll: (by: string) => writeAll(replaceMatches(paragraphs, hits, by)),
  };
}
