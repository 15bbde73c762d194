/**
 * What a recording's files are used for.
 * - `player`: an open page can play them; it plays from the cloud once they are gone.
 * - `work`: they are exported, or made cleaner.
 */
export type Use = 'player' | 'work';

/** Recordings whose files on this phone are being read or written: those must not be deleted. */
export type InUse = {
  /** @returns lets go of them; more than once is no different */
  hold(ids: readonly string[], use?: Use): () => void;
  /** @param use counts only holds of this kind; all of them if absent */
  has(id: string, use?: Use): boolean;
};

/** Kept in memory: what uses files ends with the app. */
export function createInUse(): InUse {
  const holds = new Set<{ readonly ids: ReadonlySet<string>; readonly use: Use }>();
  return {
    hold(ids, use = 'work') {
      const held = { ids: new Set(ids), use };
      holds.add(held);
      return () => void holds.delete(held);
    },
    has: (id, use) =>
      [...holds].some((held) => held.ids.has(id) && (use === undefined || held.use === use)),
  };
}
