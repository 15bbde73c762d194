/**
 * The use of a recording's files.
 * - `player`: playback on an open page, which can also play from the cloud
 * - `work`: export or denoising
 */
export type Use = 'player' | 'work';

/** Recordings whose local files are in use and must not be deleted. */
export type InUse = {
  /** Marks recordings as in use. @returns an idempotent release function */
  hold(ids: readonly string[], use?: Use): () => void;
  /** @param use limits the check to this kind of use */
  has(id: string, use?: Use): boolean;
};

/** Tracks uses in memory, since no use outlives the app. */
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
