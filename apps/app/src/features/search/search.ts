import { merged, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { foldedWords } from '@linnet/contract/folding';
import type { Clock, FoundRecord, SearchBacklog, SearchStore } from '@linnet/sync';
import type { FoundElsewhere, SearchResults, SearchService } from '../../ports/search.ts';
import type { Store } from '../../ports/store.ts';
import { live } from '../../stores.ts';
import { searchServer } from './server-search.ts';

/** Delay in milliseconds between the last keystroke and the server search. */
const DEBOUNCE_MS = 300;

export type SearchOptions = {
  readonly search: SearchStore;
  readonly client: Client;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Notifies after every commit, and when {@link uid} changes. */
  readonly watch: (listener: () => void) => () => void;
  readonly backlog: Store<SearchBacklog>;
  /** Notifies when the server becomes unreachable or reachable. */
  readonly server: Store<{ readonly status: 'unknown' | 'reachable' | 'unreachable' }>;
  readonly onError: (error: unknown) => void;
};

type ServerSearch =
  | { readonly status: 'asking' | 'unreachable' }
  | { readonly status: 'done'; readonly found: readonly FoundRecord[] };

/** Searches on the phone immediately, and on the server for further recordings. */
export function createSearch(options: SearchOptions): SearchService {
  const { search, client, clock, uid, watch, backlog, server, onError } = options;

  /** Returns the server's matches that are neither found nor deleted on this phone. */
  async function serverOnlyMatches(
    found: readonly FoundRecord[],
    more: boolean,
    serverSearch: ServerSearch,
  ): Promise<FoundElsewhere[]> {
    if (serverSearch.status !== 'done') return [];
    const foundIds = new Set(found.map(({ id }) => id));
    const others = serverSearch.found.filter(({ id }) => !foundIds.has(id));
    const known = await search.presence(others.map(({ id }) => id));
    return others.flatMap((record) => {
      const state = known.get(record.id);
      // A recording on this phone may be beyond the limit of shown matches.
      const isExcluded = state === 'deleted' || (state === 'kept' && more);
      return isExcluded ? [] : [{ ...record, onPhone: state === 'kept' }];
    });
  }

  return {
    find(keyword, limit) {
      const serverSearch = writable<ServerSearch>({ status: 'asking' });
      let last: SearchResults | null = null;

      async function searchOnServer(signal: AbortSignal): Promise<void> {
        const answer = await searchServer(client, keyword, signal);
        if (signal.aborted) return;
        serverSearch.set(
          answer.ok ? { status: 'done', found: answer.data } : { status: 'unreachable' },
        );
      }

      async function read(): Promise<SearchResults> {
        const owner = uid();
        const { left, of } = await search.catchUp();
        const { found, more } =
          owner === null
            ? { found: [], more: false }
            : await search.find(owner, foldedWords(keyword), limit);
        const now = serverSearch.get();
        const results: SearchResults = {
          found,
          more,
          indexed: left === 0 ? null : (of - left) / of,
          server: now.status,
          elsewhere: await serverOnlyMatches(found, more, now),
        };
        // Returns the same object if a commit did not affect the results.
        if (JSON.stringify(results) !== JSON.stringify(last)) last = results;
        return last ?? results;
      }

      return live(
        read,
        (listener) => {
          const stop = new AbortController();
          const retry = () => {
            if (
              server.get().status === 'reachable' &&
              serverSearch.get().status === 'unreachable'
            ) {
              searchOnServer(stop.signal).catch(onError);
            }
          };
          const unwatch = merged({ subscribe: watch }, backlog, serverSearch)(listener);
          const unwatchServer = server.subscribe(retry);
          if (keyword.trim() !== '' && serverSearch.get().status !== 'done') {
            clock.sleep(DEBOUNCE_MS, stop.signal).then(
              () => searchOnServer(stop.signal).catch(onError),
              // Unsubscribing aborts the delay; no search is needed then.
              () => {},
            );
          }
          return () => {
            stop.abort();
            unwatch();
            unwatchServer();
          };
        },
        onError,
        uid,
      );
    },
  };
}
