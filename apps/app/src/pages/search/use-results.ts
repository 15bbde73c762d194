import { foldedWords } from '@linnet/contract/folding';
import { useDeferredValue, useMemo, useRef } from 'react';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { SearchResults } from '../../ports/search.ts';

/** The displayed results for `words` (case-folded), which may still belong to the previous query. */
export type DisplayedResults = {
  readonly typed: string;
  readonly words: readonly string[];
  readonly results: SearchResults | null;
  /** Whether a newer query is in progress. */
  readonly stale: boolean;
};

/**
 * Searches while the user types. An outdated search is canceled, and the previous results stay visible until new ones
 * are available.
 */
export function useResults(input: string, limit: number): DisplayedResults {
  const { search } = useServices();
  const query = useDeferredValue(input);
  const liveResults = useStore(useMemo(() => search.find(query, limit), [search, query, limit]));
  const last = useRef<DisplayedResults>({ typed: '', words: [], results: null, stale: false });
  if (liveResults.status === 'ready') {
    last.current = {
      typed: query,
      words: foldedWords(query),
      results: liveResults.value,
      stale: false,
    };
  }
  return { ...last.current, stale: liveResults.status === 'loading' || input !== query };
}
