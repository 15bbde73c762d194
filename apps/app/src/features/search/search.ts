import { merged, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import { foldedWords } from '@linnet/contract/folding';
import type { Clock, FoundRecord, SearchBacklog, SearchStore } from '@linnet/sync';
import type { FoundElsewhere, SearchResults, SearchService } from '../../ports/search.ts';
import type { Store } from '../../ports/store.ts';
import { live } from '../../stores.ts';
import { searchServer } from './server-search.ts';

/** Milliseconds after which somebody who types has come to a stop: only then is the server asked. */
const TYPING_MS = 300;

export type SearchOptions = {
  readonly search: SearchStore;
  readonly client: Client;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Tells after every commit, and when {@link uid} changes. */
  readonly watch: (listener: () => void) => () => void;
  readonly backlog: Store<SearchBacklog>;
  /** Tells when the server was lost, or is back. */
  readonly server: Store<{ readonly status: 'unknown' | 'reachable' | 'unreachable' }>;
  readonly onError: (error: unknown) => void;
};

type Asked =
  | { readonly status: 'asking' | 'unreachable' }
  | { readonly status: 'done'; readonly found: readonly FoundRecord[] };

/** Finds on the phone at once, and on the server what the phone does not have. */
export function createSearch(options: SearchOptions): SearchService {
  const { search, client, clock, uid, watch, backlog, server, onError } = options;

  /** What the server found beside what was found here; what was deleted here is gone. */
  async function elsewhere(
    found: readonly FoundRecord[],
    more: boolean,
    asked: Asked,
  ): Promise<FoundElsewhere[]> {
    if (asked.status !== 'done') return [];
    const here = new Set(found.map(({ id }) => id));
    const others = asked.found.filter(({ id }) => !here.has(id));
    const known = await search.whereabouts(others.map(({ id }) => id));
    return others.flatMap((record) => {
      const state = known.get(record.id);
      // One that is here may be among those that were found and not shown yet.
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
        // Most commits change nothing of it: what is being read stays the very same.
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
