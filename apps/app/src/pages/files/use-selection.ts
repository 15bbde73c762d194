import { useCallback, useMemo, useRef, useState } from 'react';
import type { ListedRecord } from './row-state.ts';

/** How a recording was selected: toggled, or as a range starting from the previous one. */
export type PickMode = 'toggle' | 'range';

/** The recordings selected in a list. */
export type Selection<Item extends { readonly id: string } = ListedRecord> = {
  /** Null outside selection mode. */
  readonly ids: ReadonlySet<string> | null;
  /** The selected items that still exist. Another phone may have deleted some. */
  readonly picked: readonly Item[];
  /** Enters selection mode, optionally with one item selected. */
  begin(id?: string): void;
  pick(id: string, mode: PickMode): void;
  /** Selects all items, or none if all are already selected. */
  toggleAll(): void;
  end(): void;
};

/**
 * Manages a list's selection.
 * @param list in display order
 */
export function useSelection<Item extends { readonly id: string }>(
  list: readonly Item[],
): Selection<Item> {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const lastPicked = useRef<string | null>(null);
  const latestList = useRef(list);
  latestList.current = list;
  const pickedItems = useMemo(() => (ids ? list.filter(({ id }) => ids.has(id)) : []), [list, ids]);

  const begin = useCallback((id?: string) => {
    lastPicked.current = id ?? null;
    setIds(new Set(id === undefined ? [] : [id]));
  }, []);
  const pick = useCallback((id: string, mode: PickMode) => {
    const from = latestList.current.findIndex((each) => each.id === lastPicked.current);
    const to = latestList.current.findIndex((each) => each.id === id);
    lastPicked.current = id;
    setIds((previous) => {
      const next = new Set(previous);
      if (mode === 'range' && from >= 0) {
        const selectedRange = latestList.current.slice(Math.min(from, to), Math.max(from, to) + 1);
        for (const each of selectedRange) next.add(each.id);
      } else if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const toggleAll = useCallback(() => {
    setIds((previous) => {
      const allIds = latestList.current.map(({ id }) => id);
      return new Set(allIds.every((id) => previous?.has(id)) ? [] : allIds);
    });
  }, []);
  const end = useCallback(() => setIds(null), []);
  return { ids, picked: pickedItems, begin, pick, toggleAll, end };
}
