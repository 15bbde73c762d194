import { type Writable, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import type { ServerFacts, ServerState } from '../../ports/server.ts';
import { cacheEntry } from '../cache.ts';

/** Returns the cache entry with the last known facts, which keeps them available offline. */
const factsCache = () => cacheEntry<ServerFacts>('_server_facts_3');

/** Interval between requests in milliseconds while the server is unreachable. */
const RETRY_MS = 15_000;

/** Interval between requests in milliseconds while the server downloads a model. */
const DOWNLOADING_MS = 15_000;
/** Interval between requests in milliseconds while a failed model download is waiting to be retried. */
const WAITING_MS = 5 * 60_000;

/** Returns the polling interval in milliseconds while the server downloads models, or null if polling isn't needed. */
function refreshInterval({ downloads = [] }: Pick<ServerFacts, 'downloads'>): number | null {
  const has = (...states: readonly string[]) =>
    downloads.some(({ state }) => states.includes(state));
  if (has('downloading', 'installing')) return DOWNLOADING_MS;
  return has('waiting') ? WAITING_MS : null;
}

export type ServerWatch = {
  readonly state: Writable<ServerState>;
  /** Call this after every call to the server. */
  reportReachable(isReachable: boolean): void;
};

/** Fetches the server's facts and tracks whether it is reachable. */
export function watchServer(client: Client): ServerWatch {
  const cache = factsCache();
  const saved = cache.read();
  const state = writable<ServerState>(
    saved ? { status: 'reachable', facts: saved.data } : { status: 'unknown' },
  );
  const currentFacts = () => {
    const current = state.get();
    return current.status === 'unknown' ? null : current.facts;
  };

  function reportReachable(isReachable: boolean): void {
    const status = isReachable ? 'reachable' : 'unreachable';
    if (state.get().status !== status) state.set({ status, facts: currentFacts() });
  }

  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;

  /** Fetches the facts, unless a request is already in progress. */
  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(retryTimer);
    clearTimeout(refreshTimer);
    try {
      await requestFacts();
    } finally {
      isLoading = false;
    }
  }

  async function requestFacts(): Promise<void> {
    const response = await client.call('site/config');
    if (!response.ok) {
      reportReachable(false);
      retryTimer = setTimeout(() => void load(), RETRY_MS);
      return;
    }
    const {
      billing,
      engines,
      virtual_recorder_urls,
      support_url,
      map_tiles,
      audio_kinds,
      sends_mail,
      transcribes_ranges,
      dismisses_proposals,
      merges_transcripts,
      recording_words,
    } = response.data;
    const facts: ServerFacts = {
      billing,
      languages: engines.transcription,
      analysis: engines.analysis,
      speakers: engines.speakers,
      ...(engines.downloads && { downloads: engines.downloads }),
      mapTiles: map_tiles,
      virtualRecorderUrls: virtual_recorder_urls,
      supportUrl: support_url,
      ...(audio_kinds && { audioKinds: audio_kinds }),
      ...(sends_mail !== undefined && { sendsMail: sends_mail }),
      ...(transcribes_ranges !== undefined && { transcribesRanges: transcribes_ranges }),
      ...(merges_transcripts !== undefined && { mergesTranscripts: merges_transcripts }),
      ...(recording_words !== undefined && { recordingWords: recording_words }),
      ...(dismisses_proposals !== undefined && { dismissesProposals: dismisses_proposals }),
    };
    cache.write(facts);
    state.set({ status: 'reachable', facts });
    const interval = refreshInterval(facts);
    if (interval !== null) refreshTimer = setTimeout(refresh, interval);
  }

  /** Refetches the facts if the page is visible. Otherwise, they are refetched when it becomes visible. */
  function refresh(): void {
    if (document.visibilityState === 'visible') void load();
  }

  window.addEventListener('online', () => void load());
  window.addEventListener('offline', () => reportReachable(false));
  // The facts may have changed while the page was hidden.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    const saved = cache.read();
    if (!saved?.isFresh || refreshInterval(saved.data) !== null) void load();
  });
  void load();
  return { state, reportReachable };
}
