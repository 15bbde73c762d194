import { foldedWords } from '@linnet/contract/folding';
import { useDeferredValue, useMemo, useRef } from 'react';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { SearchResults } from '../../ports/search.ts';

/** What is on screen: results of `words` (folded), which may still be those of what was typed before. */
export type Shown = {
  readonly typed: string;
  readonly words: readonly string[];
  readonly results: SearchResults | null;
  /** What was typed since is being looked for. */
  readonly stale: boolean;
};

/** Searches as somebody types: what is stale is called off, and stays on screen until its successor is there. */
export function useResults(typed: string, limit: number): Shown {
  const { search } = useServices();
  const wanted = useDeferredValue(typed);
  const live = useStore(useMemo(() => search.find(wanted, limit), [search, wanted, limit]));
  const last = useRef<Shown>({ typed: '', words: [], results: null, stale: false });
  if (live.status === 'ready') {
    last.current = {
      typed: wanted,
      words: foldedWords(wanted),
      results: live.value,
      stale: false,
    };
  }
  return { ...last.current, stale: live.status === 'loading' || typed !== wanted };
}
