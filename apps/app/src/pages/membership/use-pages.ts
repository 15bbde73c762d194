import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '../../ports/membership.ts';
import type { Outcome } from '../../ports/store.ts';

/** A list loaded page by page. `more`: whether the next page is loading, or why it failed. */
export type Paged<Each> =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  | {
      readonly status: 'ready';
      readonly list: readonly Each[];
      readonly total: number;
      readonly more: 'idle' | 'waiting' | CallFailure;
    };

/**
 * Loads a list from the server: the first page at once, more on demand. An entry that moved to a later page
 * because a new one was added is shown once.
 * @param read must be stable; a new function loads a new list; pages count from 1
 */
export function usePages<Each extends { readonly id: string }>(
  read: (page: number) => Promise<Outcome<Page<Each>, CallFailure>>,
) {
  const [paged, setPaged] = useState<Paged<Each>>({ status: 'waiting' });
  const shown = useRef<readonly Each[]>([]);
  const pages = useRef(0);
  const turn = useRef(0);

  const take = useCallback(
    async (page: number) => {
      turn.current += 1;
      const mine = turn.current;
      const outcome = await read(page);
      if (mine !== turn.current) return;
      if (!outcome.ok) {
        const { failure } = outcome;
        setPaged((before) =>
          before.status === 'ready' ? { ...before, more: failure } : { status: 'failed', failure },
        );
        return;
      }
      const before = page === 1 ? [] : shown.current;
      const known = new Set(before.map(({ id }) => id));
      const list = [...before, ...outcome.data.list.filter(({ id }) => !known.has(id))];
      shown.current = list;
      pages.current = page;
      // Entries that moved while loading may never appear, so an empty page ends the list.
      const total = outcome.data.list.length === 0 ? list.length : outcome.data.total;
      setPaged({ status: 'ready', list, total, more: 'idle' });
    },
    [read],
  );
  useEffect(() => {
    void take(1);
    return () => {
      turn.current += 1;
    };
  }, [take]);

  return {
    paged,
    again: () => void take(1),
    more: () => {
      setPaged((before) => (before.status === 'ready' ? { ...before, more: 'waiting' } : before));
      void take(pages.current + 1);
    },
  };
}
