import { type Writable, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import type { ServerFacts, ServerState } from '../../ports/server.ts';
import { cacheEntry } from '../cache.ts';

/** What the server last said of itself, so that the app knows it offline too. */
const kept = () => cacheEntry<ServerFacts>('_server_facts_3');

/** How often a server that did not answer is asked again while nothing else talks to it. */
const RETRY_MS = 15_000;

export type ServerWatch = {
  readonly state: Writable<ServerState>;
  /** What the last call to the server showed. */
  heard(reachable: boolean): void;
};

/** Asks the server what it can do, and keeps an eye on whether it answers. */
export function watchServer(client: Client): ServerWatch {
  const cache = kept();
  const saved = cache.read();
  const state = writable<ServerState>(
    saved ? { status: 'reachable', facts: saved.data } : { status: 'unknown' },
  );
  const factsNow = () => {
    const now = state.get();
    return now.status === 'unknown' ? null : now.facts;
  };

  function heard(reachable: boolean): void {
    const status = reachable ? 'reachable' : 'unreachable';
    if (state.get().status !== status) state.set({ status, facts: factsNow() });
  }

  let retry: ReturnType<typeof setTimeout> | undefined;
  let asking = false;

  /** Asks, unless it is asked already. */
  async function ask(): Promise<void> {
    if (asking) return;
    asking = true;
    clearTimeout(retry);
    try {
      await askNow();
    } finally {
      asking = false;
    }
  }

  async function askNow(): Promise<void> {
    const answer = await client.call('site/config');
    if (!answer.ok) {
      heard(false);
      retry = setTimeout(() => void ask(), RETRY_MS);
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
    cache.keep(facts);
    state.set({ status: 'reachable', facts });
  }

  window.addEventListener('online', () => void ask());
  window.addEventListener('offline', () => heard(false));
  // Whoever comes back after a while is told of what changed meanwhile.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !cache.read()?.fresh) void ask();
  });
  void ask();
  return { state, heard };
}
