import { Coalesced, writable } from '@linnet/base';
import type { SearchBacklog, SearchStore } from '@linnet/sync';
import type { Store } from '../../ports/store.ts';

export type SearchIndexerOptions = {
  readonly search: Pick<SearchStore, 'catchUp'>;
  /** Notifies after every commit. */
  readonly watch: (listener: () => void) => () => void;
  /** Resolves when the app is idle. */
  readonly pause: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Updates the search index while the app is idle, in small steps. */
export function createSearchIndexer({ search, watch, pause, onError }: SearchIndexerOptions): {
  /** Changes with each step. */
  readonly backlog: Store<SearchBacklog>;
  stop(): void;
} {
  const backlog = writable<SearchBacklog>({ left: 0, of: 0 });
  let isStopped = false;

  const work = new Coalesced(async () => {
    if (isStopped) return;
    await pause();
    if (isStopped) return;
    const now = await search.catchUp();
    if (now.left > 0) work.invalidate();
    if (now.left !== backlog.get().left) backlog.set(now);
  });
  const catchUp = () => void work.run().catch(onError);

  const unwatch = watch(catchUp);
  catchUp();
  return {
    backlog,
    stop() {
      isStopped = true;
      unwatch();
    },
  };
}
