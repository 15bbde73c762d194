/** Full-text search. Searches the recordings on this phone immediately, and asks the server for further matches. */
import { merged, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { foldedWords } from '@linnet/contract/folding';
import type { Clock, FoundRecord, SearchBacklog, SearchStore } from '@linnet/sync';
import type { FoundElsewhere, SearchResults, SearchService } from '../../ports/search.ts';
import type { Store } from '../../ports/store.ts';
import { live } from '../../stores.ts';
import { searchServer } from './server-search.ts';

/** Debounce delay in milliseconds from the last keystroke to the server search. */
const DEBOUNCE_MS = 300;

export type SearchOptions = {
  readonly search: SearchStore;
  readonly client: Client;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Subscribes to database commits and to changes to {@link uid}. */
  readonly watch: (listener: () => void) => () => void;
  readonly backlog: Store<SearchBacklog>;
  /** Whether the server is reachable. */
  readonly server: Store<{ readonly status: 'unknown' | 'reachable' | 'unreachable' }>;
  readonly onError: (error: unknown) => void;
};

type ServerSearch =
  | { readonly status: 'searching' | 'unreachable' }
  | { readonly status: 'done'; readonly found: readonly FoundRecord[] };

export function createSearch(options: SearchOptions): SearchService {
  const { search, client, clock, uid, watch, backlog, server, onError } = options;

  /** Returns the server's matches that weren't found on this phone, except deleted recordings. */
  async function serverOnlyMatches(
    foundRecords: readonly FoundRecord[],
    hasMore: boolean,
    serverSearch: ServerSearch,
  ): Promise<FoundElsewhere[]> {
    if (serverSearch.status !== 'done') return [];
    const foundIds = new Set(foundRecords.map(({ id }) => id));
    const others = serverSearch.found.filter(({ id }) => !foundIds.has(id));
    const presence = await search.presence(others.map(({ id }) => id));
    return others.flatMap((record) => {
      const state = presence.get(record.id);
      // If this phone has more matches than the limit, the recording is probably one of them.
      const isExcluded = state === 'deleted' || (state === 'kept' && hasMore);
      return isExcluded ? [] : [{ ...record, onPhone: state === 'kept' }];
    });
  }

  return {
    find(keyword, limit) {
      const serverSearch = writable<ServerSearch>({ status: 'searching' });
      let lastResults: SearchResults | null = null;

      async function searchOnServer(signal: AbortSignal): Promise<void> {
        const response = await searchServer(client, keyword, signal);
        if (signal.aborted) return;
        serverSearch.set(
          response.ok ? { status: 'done', found: response.data } : { status: 'unreachable' },
        );
      }

      async function read(): Promise<SearchResults> {
        const owner = uid();
        const { remaining, total } = await search.catchUp();
        const { found, more } =
          owner === null
            ? { found: [], more: false }
            : await search.find(owner, foldedWords(keyword), limit);
        const serverState = serverSearch.get();
        const results: SearchResults = {
          found,
          more,
          indexed: remaining === 0 ? null : (total - remaining) / total,
          server: serverState.status,
          elsewhere: await serverOnlyMatches(found, more, serverState),
        };
        // If nothing has changed, return the same object so that no component re-renders.
        if (JSON.stringify(results) !== JSON.stringify(lastResults)) lastResults = results;
        return lastResults ?? results;
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
              // The subscriber unsubscribed during the delay, so no search is needed.
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
