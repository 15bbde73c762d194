import { merged, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { foldedWords } from '@linnet/contract/folding';
import type { Clock, FoundRecord, SearchBacklog, SearchStore } from '@linnet/sync';
import type { FoundElsewhere, SearchResults, SearchService } from '../../ports/search.ts';
import type { Store } from '../../ports/store.ts';
import { live } from '../../stores.ts';
import { searchServer } from './server-search.ts';

/** Pause in milliseconds after the last keystroke, before the server is asked. */
const TYPING_MS = 300;

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

type Asked =
  | { readonly status: 'asking' | 'unreachable' }
  | { readonly status: 'done'; readonly found: readonly FoundRecord[] };

/** Searches on the phone at once, and on the server for anything else. */
export function createSearch(options: SearchOptions): SearchService {
  const { search, client, clock, uid, watch, backlog, server, onError } = options;

  /** The server's matches that are not found here, without recordings deleted here. */
  async function elsewhere(
    found: readonly FoundRecord[],
    more: boolean,
    asked: Asked,
  ): Promise<FoundElsewhere[]> {
    if (asked.status !== 'done') return [];
    const here = new Set(found.map(({ id }) => id));
    const others = asked.found.filter(({ id }) => !here.has(id));
    const known = await search.presence(others.map(({ id }) => id));
    return others.flatMap((record) => {
      const state = known.get(record.id);
      // A recording on this phone may be among matches not shown yet.
      const passed = state === 'deleted' || (state === 'kept' && more);
      return passed ? [] : [{ ...record, onPhone: state === 'kept' }];
    });
  }

  return {
    find(keyword, limit) {
      const asked = writable<Asked>({ status: 'asking' });
      let last: SearchResults | null = null;

      async function ask(signal: AbortSignal): Promise<void> {
        const answer = await searchServer(client, keyword, signal);
        if (signal.aborted) return;
        asked.set(answer.ok ? { status: 'done', found: answer.data } : { status: 'unreachable' });
      }

      async function read(): Promise<SearchResults> {
        const owner = uid();
        const { left, of } = await search.catchUp();
        const { found, more } =
          owner === null
            ? { found: [], more: false }
            : await search.find(owner, foldedWords(keyword), limit);
        const now = asked.get();
        const results: SearchResults = {
          found,
          more,
          indexed: left === 0 ? null : (of - left) / of,
          server: now.status,
          elsewhere: await elsewhere(found, more, now),
        };
        // Most commits don't affect the results, so the same object is returned.
        if (JSON.stringify(results) !== JSON.stringify(last)) last = results;
        return last ?? results;
      }

      return live(
        read,
        (listener) => {
          const stop = new AbortController();
          const again = () => {
            if (server.get().status === 'reachable' && asked.get().status === 'unreachable') {
              ask(stop.signal).catch(onError);
            }
          };
          const unwatch = merged({ subscribe: watch }, backlog, asked)(listener);
          const unwatchServer = server.subscribe(again);
          if (keyword.trim() !== '' && asked.get().status !== 'done') {
            clock.sleep(TYPING_MS, stop.signal).then(
              () => ask(stop.signal).catch(onError),
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
