/**
 * How a recording's files are being used.
 * - `player`: playback on an open page, which could also play the audio from the cloud
 * - `work`: an export, denoising or merging
 */
export type Use = 'player' | 'work';

/** Tracks the recordings whose local files are in use and must not be deleted. */
export type InUse = {
  /**
   * Marks recordings as in use.
   * @returns a function that releases them; further calls have no effect
   */
  hold(ids: readonly string[], use?: Use): () => void;
  /** @param use limits the check to this kind of use */
  has(id: string, use?: Use): boolean;
};

/** Creates an in-memory tracker. No use outlives the app, so it doesn't need to be persisted. */
export function createInUse(): InUse {
  const holds = new Set<{ readonly ids: ReadonlySet<string>; readonly use: Use }>();
  return {
    hold(ids, use = 'work') {
      const hold = { ids: new Set(ids), use };
      holds.add(hold);
      return () => void holds.delete(hold);
    },
    has: (id, use) =>
      [...holds].some((hold) => hold.ids.has(id) && (use === undefined || hold.use === use)),
  };
}
