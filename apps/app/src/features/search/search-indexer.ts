import { Coalesced, writable } from '@linnet/base';
import type { SearchBacklog, SearchStore } from '@linnet/sync';
import type { Store } from '../../ports/store.ts';

export type SearchIndexerOptions = {
  readonly search: Pick<SearchStore, 'catchUp'>;
  /** Subscribes to database commits. */
  readonly watch: (listener: () => void) => () => void;
  /** Resolves when the app is idle. */
  readonly pause: () => Promise<void>;
  readonly onError: (error: unknown) => void;
};

/** Creates the indexer, which updates the search index in small steps while the app is idle. */
export function createSearchIndexer({ search, watch, pause, onError }: SearchIndexerOptions): {
  /** Changes with every step. */
  readonly backlog: Store<SearchBacklog>;
  stop(): void;
} {
  const backlog = writable<SearchBacklog>({ remaining: 0, total: 0 });
  let isStopped = false;

  const work = new Coalesced(async () => {
    if (isStopped) return;
    await pause();
    if (isStopped) return;
    const newBacklog = await search.catchUp();
    if (newBacklog.remaining > 0) work.invalidate();
    if (newBacklog.remaining !== backlog.get().remaining) backlog.set(newBacklog);
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
