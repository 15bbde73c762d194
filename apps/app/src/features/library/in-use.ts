/**
 * The use of a recording's files.
 * - `player`: an open page can play them; it plays from the cloud once they are gone.
 * - `work`: they are being exported or denoised.
 */
export type Use = 'player' | 'work';

/** Recordings whose local files are being read or written and must not be deleted. */
export type InUse = {
  /** @returns a function that releases them; calling it again has no effect */
  hold(ids: readonly string[], use?: Use): () => void;
  /** @param use counts only holds of this kind; all if absent */
  has(id: string, use?: Use): boolean;
};

/** In memory, since no use outlives the app. */
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
