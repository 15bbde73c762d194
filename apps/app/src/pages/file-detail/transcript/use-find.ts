import type { Paragraph } from '@linnet/contract';
import { useDeferredValue, useMemo, useState } from 'react';
import { findIn, type Hit, replaced } from './find.ts';

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
  const hits = useMemo(() => findIn(paragraphs, deferredQuery), [paragraphs, deferredQuery]);
  const at = hits.length === 0 ? -1 : Math.min(place, hits.length - 1);
  const hit: Hit | null = hits[at] ?? null;
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
    replace: (by: string) => hit && writeAll(replaced(paragraphs, [hit], by)),
    replaceAll: (by: string) => writeAll(replaced(paragraphs, hits, by)),
  };
}
