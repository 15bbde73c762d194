import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';

/** The state of the search page when it was left. */
let left: { typed: string; limit: number; scrollTop: number; opened: string } | null = null;

/**
 * Saves the state when a result is opened. On return, the same number of results, scroll position and focus
 * are restored.
 */
export function useReturn(typed: string, step: number) {
  const returns = useNavigationType() === 'POP' && left?.typed === typed;
  const [requested, setRequested] = useState({
    typed,
    limit: returns ? (left?.limit ?? step) : step,
  });
  const limit = requested.typed === typed ? requested.limit : step;
  const page = useRef<HTMLElement>(null);
  const waiting = useRef(returns ? left : null);

  const arrived = useCallback(() => {
    const place = waiting.current;
    waiting.current = null;
    if (!place || !page.current) return;
    page.current.scrollTop = place.scrollTop;
    const link = page.current.querySelector<HTMLElement>(
      `a[data-result][href="${CSS.escape(place.opened)}"]`,
    );
    link?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (waiting.current?.typed !== typed) waiting.current = null;
  }, [typed]);

  return {
    returns,
    page,
    limit,
    setLimit: (next: number) => setRequested({ typed, limit: next }),
    onOpen: (opened: string) => {
      left = { typed, limit, scrollTop: page.current?.scrollTop ?? 0, opened };
    },
    arrived,
  };
}
