import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router';

/** How a search was left, so that going back finds it as it was. */
let left: { typed: string; limit: number; scrollTop: number; opened: string } | null = null;

/**
 * Keeps where one was when a result was opened: coming back, as many results are shown, the same ones are
 * on screen, and the one that was opened has the focus.
 */
export function useReturn(typed: string, step: number) {
  const returns = useNavigationType() === 'POP' && left?.typed === typed;
  const [asked, setAsked] = useState({ typed, limit: returns ? (left?.limit ?? step) : step });
  const limit = asked.typed === typed ? asked.limit : step;
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
    setLimit: (next: number) => setAsked({ typed, limit: next }),
    onOpen: (opened: string) => {
      left = { typed, limit, scrollTop: page.current?.scrollTop ?? 0, opened };
    },
    arrived,
  };
}
