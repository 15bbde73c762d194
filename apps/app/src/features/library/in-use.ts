/** Recordings whose files on this phone somebody reads or writes right now: those must not be deleted. */
export type InUse = {
  /** @returns lets go of them; more than once is no different */
  hold(ids: readonly string[]): () => void;
  has(id: string): boolean;
};

/** Kept in memory: what uses files ends with the app. */
export function createInUse(): InUse {
  const holds = new Set<ReadonlySet<string>>();
  return {
    hold(ids) {
      const held = new Set(ids);
      holds.add(held);
      return () => void holds.delete(held);
    },
    has: (id) => [...holds].some((held) => held.has(id)),
  };
}
