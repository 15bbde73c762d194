import { type Writable, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import type { ServerFacts, ServerState } from '../../ports/server.ts';
import { cacheEntry } from '../cache.ts';

/** The last known facts, so that they are available offline. */
const storedFacts = () => cacheEntry<ServerFacts>('_server_facts_3');

/** Retry interval in milliseconds while the server is unreachable. */
const RETRY_MS = 15_000;

export type ServerWatch = {
  readonly state: Writable<ServerState>;
  /** Reports whether the last call reached the server. */
  reportReachable(reachable: boolean): void;
};

/** Loads the server's facts and tracks whether it is reachable. */
export function watchServer(client: Client): ServerWatch {
  const cache = storedFacts();
  const saved = cache.read();
  const state = writable<ServerState>(
    saved ? { status: 'reachable', facts: saved.data } : { status: 'unknown' },
  );
  const factsNow = () => {
    const now = state.get();
    return now.status === 'unknown' ? null : now.facts;
  };

  function reportReachable(reachable: boolean): void {
    const status = reachable ? 'reachable' : 'unreachable';
    if (state.get().status !== status) state.set({ status, facts: factsNow() });
  }

  let retry: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;

  /** Loads the facts, unless a request is in progress. */
  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(retry);
    try {
      await requestFacts();
    } finally {
      isLoading = false;
    }
  }

  async function requestFacts(): Promise<void> {
    const answer = await client.call('site/config');
    if (!answer.ok) {
      reportReachable(false);
      retry = setTimeout(() => void load(), RETRY_MS);
      return;
    }
    const { billing, engines, virtual_recorder_urls, support_url, map_tiles } = answer.data;
    const facts: ServerFacts = {
      billing,
      languages: engines.transcription,
      analysis: engines.analysis,
      speakers: engines.speakers,
      mapTiles: map_tiles,
      virtualRecorderUrls: virtual_recorder_urls,
      supportUrl: support_url,
    };
    cache.write(facts);
    state.set({ status: 'reachable', facts });
  }

  window.addEventListener('online', () => void load());
  window.addEventListener('offline', () => reportReachable(false));
  // Facts may have changed while the page was hidden.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !cache.read()?.fresh) void load();
  });
  void load();
  return { state, reportReachable };
}
