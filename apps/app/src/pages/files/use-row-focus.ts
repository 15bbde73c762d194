import { useEffect, useRef } from 'react';
import { isFocusLost } from '../../page-kit/navigation.tsx';

/**
 * Moves the focus to the next row when the focused row disappears, or to the heading if none is left. A focus
 * in the row's menu counts as well.
 */
export function useRowFocus(
  scroller: HTMLElement | null,
  records: readonly { readonly id: string }[],
): void {
  /** The last focused row and its index. */
  const last = useRef<{ readonly id: string; readonly index: number } | null>(null);
  const now = useRef(records);
  now.current = records;

  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element && target.closest<HTMLElement>('[data-record-id]');
      const id = row ? row.dataset.recordId : undefined;
      const index = now.current.findIndex((record) => record.id === id);
      last.current = id !== undefined && index >= 0 ? { id, index } : null;
    };
    scroller?.addEventListener('focusin', remember);
    return () => scroller?.removeEventListener('focusin', remember);
  }, [scroller]);

  useEffect(() => {
    const left = last.current;
    if (!left || !scroller || records.some(({ id }) => id === left.id)) return;
    last.current = null;
    if (!isFocusLost()) return;
    const next = records[Math.min(left.index, records.length - 1)];
    const row =
      next && scroller.querySelector<HTMLElement>(`[data-record-id="${CSS.escape(next.id)}"] a`);
    (row || scroller.querySelector('h1'))?.focus({ preventScroll: true });
  }, [scroller, records]);
}
