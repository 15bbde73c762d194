import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';

/** The state of the search page at the time a result was opened. */
let savedSearch: { typed: string; limit: number; scrollTop: number; opened: string } | null = null;

/**
 * Saves the state when a result is opened. On return, restores the number of results, the scroll position and the
 * focus.
 */
export function useRestoredSearch(query: string, step: number) {
  const isRestored = useNavigationType() === 'POP' && savedSearch?.typed === query;
  const [requested, setRequested] = useState({
    typed: query,
    limit: isRestored ? (savedSearch?.limit ?? step) : step,
  });
  const limit = requested.typed === query ? requested.limit : step;
  const page = useRef<HTMLElement>(null);
  const pendingRestore = useRef(isRestored ? savedSearch : null);

  const restorePosition = useCallback(() => {
    const saved = pendingRestore.current;
    pendingRestore.current = null;
    if (!saved || !page.current) return;
    page.current.scrollTop = saved.scrollTop;
    const link = page.current.querySelector<HTMLElement>(
      `a[data-result][href="${CSS.escape(saved.opened)}"]`,
    );
    link?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (pendingRestore.current?.typed !== query) pendingRestore.current = null;
  }, [query]);

  return {
    isRestored,
    page,
    limit,
    setLimit: (next: number) => setRequested({ typed: query, limit: next }),
    onOpen: (opened: string) => {
      savedSearch = { typed: query, limit, scrollTop: page.current?.scrollTop ?? 0, opened };
    },
    restorePosition,
  };
}
