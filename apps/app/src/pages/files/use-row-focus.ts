import { useEffect, useRef } from 'react';
import { isFocusLost } from '../../page-kit/navigation.tsx';

/**
 * When the focused row disappears, moves focus to the next row, or to the heading if no row is left. Focus inside the
 * row's menu counts too.
 */
export function useRowFocus(
  scroller: HTMLElement | null,
  records: readonly { readonly id: string }[],
): void {
  /** The most recently focused row and its index. */
  const last = useRef<{ readonly id: string; readonly index: number } | null>(null);
  const latestRecords = useRef(records);
  latestRecords.current = records;

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element && target.closest<HTMLElement>('[data-record-id]');
      const id = row ? row.dataset.recordId : undefined;
      const index = latestRecords.current.findIndex((record) => record.id === id);
      last.current = id !== undefined && index >= 0 ? { id, index } : null;
    };
    scroller?.addEventListener('focusin', remember);
    return () => scroller?.removeEventListener('focusin', remember);
  }, [scroller]);

  useEffect(() => {
    const remaining = last.current;
    if (!remaining || !scroller || records.some(({ id }) => id === remaining.id)) return;
    last.current = null;
    if (!isFocusLost()) return;
    const next = records[Math.min(remaining.index, records.length - 1)];
    const row =
      next && scroller.querySelector<HTMLElement>(`[data-record-id="${CSS.escape(next.id)}"] a`);
    (row || scroller.querySelector('h1'))?.focus({ preventScroll: true });
  }, [scroller, records]);
}
