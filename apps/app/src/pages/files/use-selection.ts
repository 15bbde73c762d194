import { useCallback, useMemo, useRef, useState } from 'react';
import type { ListedRecord } from './row-state.ts';

/** How a recording was picked: alone, in addition, or with all between it and the one before. */
export type PickHow = 'toggle' | 'range';

/** Recordings that the owner picked from a list, to do something with all of them. */
export type Selection<Item extends { readonly id: string } = ListedRecord> = {
  /** Null while nothing is being picked. */
  readonly ids: ReadonlySet<string> | null;
  /** Those of them that are there: what another phone deleted meanwhile is gone from here, too. */
  readonly picked: readonly Item[];
  /** Begins picking, with one that is picked already or with none. */
  begin(id?: string): void;
  pick(id: string, how: PickHow): void;
  /** Everything in the list as it is now, or nothing if that is picked already. */
  all(): void;
  end(): void;
};

/** @param list in the order on screen */
export function useSelection<Item extends { readonly id: string }>(
  list: readonly Item[],
): Selection<Item> {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const last = useRef<string | null>(null);
  const shown = useRef(list);
  shown.current = list;
  const picked = useMemo(() => (ids ? list.filter(({ id }) => ids.has(id)) : []), [list, ids]);

  const begin = useCallback((id?: string) => {
    last.current = id ?? null;
    setIds(new Set(id === undefined ? [] : [id]));
  }, []);
  const pick = useCallback((id: string, how: PickHow) => {
    const from = shown.current.findIndex((each) => each.id === last.current);
    const to = shown.current.findIndex((each) => each.id === id);
    last.current = id;
    setIds((before) => {
      const next = new Set(before);
      if (how === 'range' && from >= 0) {
        const between = shown.current.slice(Math.min(from, to), Math.max(from, to) + 1);
        for (const each of between) next.add(each.id);
      } else if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const all = useCallback(() => {
    setIds((before) => {
      const every = shown.current.map(({ id }) => id);
      return new Set(every.every((id) => before?.has(id)) ? [] : every);
    });
  }, []);
  const end = useCallback(() => setIds(null), []);
  return { ids, picked, begin, pick, all, end };
}
