import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';

/** The state of the search page when a result was opened. */
let savedSearch: { typed: string; limit: number; scrollTop: number; opened: string } | null = null;

/**
 * Saves the state when a result is opened, and restores number of results, scroll position and focus on return.
 */
export function useRestoredSearch(typed: string, step: number) {
  const isRestored = useNavigationType() === 'POP' && savedSearch?.typed === typed;
  const [requested, setRequested] = useState({
    typed,
    limit: isRestored ? (savedSearch?.limit ?? step) : step,
  });
  const limit = requested.typed === typed ? requested.limit : step;
  const page = useRef<HTMLElement>(null);
  const pendingRestore = useRef(isRestored ? savedSearch : null);

  const restorePosition = useCallback(() => {
    const place = pendingRestore.current;
    pendingRestore.current = null;
    if (!place || !page.current) return;
    page.current.scrollTop = place.scrollTop;
    const link = page.current.querySelector<HTMLElement>(
      `a[data-result][href="${CSS.escape(place.opened)}"]`,
    );
    link?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (pendingRestore.current?.typed !== typed) pendingRestore.current = null;
  }, [typed]);

  return {
    isRestored,
    page,
    limit,
    setLimit: (next: number) => setRequested({ typed, limit: next }),
    onOpen: (opened: string) => {
      savedSearch = { typed, limit, scrollTop: page.current?.scrollTop ?? 0, opened };
    },
    restorePosition,
  };
}
