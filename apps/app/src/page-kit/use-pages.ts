import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '../ports/membership.ts';
import type { Outcome } from '../ports/store.ts';

/** A paginated list. `nextPage` is the next page's loading state, or its failure. */
export type Paged<Each> =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  | {
      readonly status: 'ready';
      readonly list: readonly Each[];
      readonly total: number;
      readonly nextPage: 'idle' | 'waiting' | CallFailure;
    };

/** A paginated list with functions to reload it and to load the next page. */
export type Pages<Each> = {
  readonly paged: Paged<Each>;
  readonly reload: () => void;
  readonly loadMore: () => void;
};

/**
 * Loads a paginated list from the server: the first page on mount, further pages on demand. Entries that an insertion
 * moves to a later page aren't duplicated.
 * @param loadPageFromServer loads a page, counted from 1; must be stable, because a new function loads a new list
 */
export function usePages<Each extends { readonly id: string }>(
  loadPageFromServer: (page: number) => Promise<Outcome<Page<Each>, CallFailure>>,
): Pages<Each> {
  const [paged, setPaged] = useState<Paged<Each>>({ status: 'waiting' });
  const loaded = useRef<readonly Each[]>([]);
  const pages = useRef(0);
  const generation = useRef(0);

  const loadPage = useCallback(
    async (page: number) => {
      generation.current += 1;
      const request = generation.current;
      const outcome = await loadPageFromServer(page);
      if (request !== generation.current) return;
      if (!outcome.ok) {
        const { failure } = outcome;
        setPaged((previous) =>
          previous.status === 'ready'
            ? { ...previous, nextPage: failure }
            : { status: 'failed', failure },
        );
        return;
      }
      const previousList = page === 1 ? [] : loaded.current;
      const knownIds = new Set(previousList.map(({ id }) => id));
      const list = [...previousList, ...outcome.data.list.filter(({ id }) => !knownIds.has(id))];
      loaded.current = list;
      pages.current = page;
      // An empty page ends the list, because duplicates can make the list shorter than the total.
      const total = outcome.data.list.length === 0 ? list.length : outcome.data.total;
      setPaged({ status: 'ready', list, total, nextPage: 'idle' });
    },
    [loadPageFromServer],
  );
  useEffect(() => {
    void loadPage(1);
    return () => {
      generation.current += 1;
    };
  }, [loadPage]);

  return {
    paged,
    reload: () => void loadPage(1),
    loadMore: () => {
      setPaged((before) =>
        before.status === 'ready' ? { ...before, nextPage: 'waiting' } : before,
      );
      void loadPage(pages.current + 1);
    },
  };
}
