import { foldedWords } from '@linnet/contract/folding';
import { useDeferredValue, useMemo, useRef } from 'react';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { SearchResults } from '../../ports/search.ts';

/** The displayed results of `words` (case-folded), possibly those of the previous query. */
export type Shown = {
  readonly typed: string;
  readonly words: readonly string[];
  readonly results: SearchResults | null;
  /** A newer query is in progress. */
  readonly stale: boolean;
};

/**
 * Searches while the user types. An outdated search is canceled, and its results stay until new ones arrive.
 */
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
