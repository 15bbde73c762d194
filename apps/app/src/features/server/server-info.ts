import { type Writable, writable } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import type { ServerInfo, ServerState } from '../../ports/server.ts';
import { cacheEntry } from '../cache.ts';

/** Returns the cache entry with the last known server info, which keeps it available offline. */
const infoCache = () => cacheEntry<ServerInfo>('_server_facts_3');

/** Interval between requests in milliseconds while the server is unreachable. */
const RETRY_MS = 15_000;

/** Interval between requests in milliseconds while the server downloads a model. */
const DOWNLOADING_MS = 15_000;
/** Interval between requests in milliseconds while a failed model download is waiting to be retried. */
const WAITING_MS = 5 * 60_000;

/** Returns the polling interval in milliseconds while the server downloads models, or null if polling isn't needed. */
function refreshInterval({ downloads = [] }: Pick<ServerInfo, 'downloads'>): number | null {
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

/** Fetches the server info and tracks whether the server is reachable. */
export function watchServer(client: Client): ServerWatch {
  const cache = infoCache();
  const saved = cache.read();
  const state = writable<ServerState>(
    saved ? { status: 'reachable', info: saved.data } : { status: 'unknown' },
  );
  const currentInfo = () => {
    const current = state.get();
    return current.status === 'unknown' ? null : current.info;
  };

  function reportReachable(isReachable: boolean): void {
    const status = isReachable ? 'reachable' : 'unreachable';
    if (state.get().status !== status) state.set({ status, info: currentInfo() });
  }

  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let refreshTimer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;

  /** Fetches the server info, unless a request is already in progress. */
  async function load(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    clearTimeout(retryTimer);
    clearTimeout(refreshTimer);
    try {
      await requestInfo();
    } finally {
      isLoading = false;
    }
  }

  async function requestInfo(): Promise<void> {
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
    const serverInfo: ServerInfo = {
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
    cache.write(serverInfo);
    state.set({ status: 'reachable', info: serverInfo });
    const interval = refreshInterval(serverInfo);
    if (interval !== null) refreshTimer = setTimeout(refresh, interval);
  }

  /** Refetches the server info if the page is visible. Otherwise, it is refetched when the page becomes visible. */
  function refresh(): void {
    if (document.visibilityState === 'visible') void load();
  }

  window.addEventListener('online', () => void load());
  window.addEventListener('offline', () => reportReachable(false));
  // The server info may have changed while the page was hidden.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    const saved = cache.read();
    if (!saved?.isFresh || refreshInterval(saved.data) !== null) void load();
  });
  void load();
  return { state, reportReachable };
}
