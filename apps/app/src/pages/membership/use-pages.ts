import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '../../ports/membership.ts';
import type { Outcome } from '../../ports/store.ts';

/** A list that grows page by page. `more`: whether a page is on its way, or why it did not come. */
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
 * Reads a list of the server: its first page at once, further ones on demand. A row that moved to a later
 * page meanwhile, because a new one came, is shown once.
 * @param read the same function until another list is read; pages count from 1
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
      // Rows that moved while they were read may never come: an empty page is the end.
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
