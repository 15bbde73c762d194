import type { SearchBacklog, SearchStore } from '@linnet/sync';
import type { Store } from '../../ports/store.ts';
import { writable } from '../../stores.ts';

export type IndexKeeperOptions = {
  readonly search: Pick<SearchStore, 'catchUp'>;
  /** Tells after every commit. */
  readonly watch: (listener: () => void) => () => void;
  /** Resolves when there is time for a step that nobody waits for. */
  readonly pause: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/**
 * Keeps the index of search up while there is nothing more urgent to do: small steps, with time for
 * everybody else between them.
 */
export function createIndexKeeper({ search, watch, pause, onError }: IndexKeeperOptions): {
  /** Changes with each step. */
  readonly backlog: Store<SearchBacklog>;
  stop(): void;
} {
  const backlog = writable<SearchBacklog>({ left: 0, of: 0 });
  let working = false;
  let stale = false;
  let stopped = false;

  async function work(): Promise<void> {
    stale = true;
    if (working) return;
    working = true;
    try {
      while (stale && !stopped) {
        stale = false;
        await pause();
        if (stopped) break;
        const now = await search.catchUp();
        if (now.left > 0) stale = true;
        if (now.left !== backlog.get().left) backlog.set(now);
      }
    } catch (error) {
      onError(error);
    } finally {
      working = false;
    }
  }

  const unwatch = watch(() => void work());
  void work();
  return {
    backlog,
    stop() {
      stopped = true;
      unwatch();
    },
  };
}
