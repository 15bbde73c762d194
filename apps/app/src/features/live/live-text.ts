/**
 * Implements live transcription. Streams recordings in progress to the server, and provides their recognized text,
 * including recordings on the account's other devices.
 */
import { merged, type Store } from '@linnet/base';
import type { Client } from '@linnet/contract/client';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { limits } from '@linnet/contract/limits';
import {
  type AudioStore,
  type Clock,
  LiveSender,
  type LiveSink,
  type LiveText,
  LiveWatcher,
  type Log,
  type RecordStore,
} from '@linnet/sync';
import type { LiveTextService } from '../../ports/live.ts';
import type { CloudPolicies, LivePolicy } from '../transfers/cloud-policy.ts';

export type LiveTextOptions = {
  readonly client: Client;
  readonly audio: Pick<AudioStore, 'readPackets'>;
  readonly records: Pick<RecordStore, 'work' | 'detail'>;
  /** Fetches the server's changes, which include recordings uploaded by other devices. */
  readonly pull: () => Promise<{ readonly ok: boolean }>;
  readonly policy: CloudPolicies['live'];
  /** Returns a recording's own language, or null if it has none. */
  readonly getLanguage: (recordId: string) => SpokenLanguage | null;
  /** Subscribes to changes to {@link policy}. */
  readonly watchPolicy: (listener: () => void) => () => void;
  readonly isVisible: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

export type LiveTexts = {
  readonly service: LiveTextService;
  /** Receives the packets of recordings from recorders and this device's microphone. */
  readonly sink: LiveSink;
  /** Ends delays early. Call it when the connection, the policy or the page's visibility has changed. */
  wake(): void;
  /** Starts receiving text from other devices. Call it after sign-in. */
  start(): void;
  /** Stops sending and receiving, and discards all text. Call it before sign-out. */
  stop(): void;
};

/**
 * Whether the account's other devices may have live text, by the status on this device. Their network and language may
 * differ.
 */
const othersCanHaveText: Readonly<Record<LivePolicy['status'], boolean>> = {
  ready: true,
  unsupported_language: true,
  network_not_allowed: true,
  off: false,
  not_member: false,
  unknown: false,
};

/** Timeout of a long-polling request for text, in milliseconds. */
const WATCH_TIMEOUT_MS = limits.live.watchSeconds * 1000 + limits.requestTimeoutMs;

export function createLiveTexts(options: LiveTextOptions): LiveTexts {
  const { client, records, pull, policy, getLanguage, watchPolicy, ...rest } = options;
  const { isVisible, clock, log, onError } = rest;
  const sender = new LiveSender({
    ...rest,
    append: (body, signal) => client.call('live/append', body, { signal }),
    language(recordId) {
      const current = policy(getLanguage(recordId));
      return current.status === 'ready' ? current.language : null;
    },
    words: async (recordId) => (await records.detail(recordId))?.words ?? [],
  });
  const watcher = new LiveWatcher({
    watch: (body, signal) =>
      client.call('live/watch', body, { signal, timeoutMs: WATCH_TIMEOUT_MS }),
    own: () => sender.texts.get().keys(),
    known: async (ids) => new Set((await records.work(ids)).keys()),
    pull,
    isEnabled: () => othersCanHaveText[policy().status],
    isVisible,
    clock,
    log,
    onError,
  });
  sender.texts.subscribe(() => watcher.update());
  let watching = Promise.resolve();
  let stopWatching = new AbortController();
  return {
    service: {
      availability: { get: () => policy().status, subscribe: watchPolicy },
      texts: joinTexts(watcher.arrived, sender.texts),
      others: watcher.recordings,
      watch: (recordId) => sender.watch(recordId),
    },
    sink: sender,
    wake() {
      sender.wake();
      watcher.wake();
    },
    start() {
      stopWatching = new AbortController();
      const { signal } = stopWatching;
      // The previous account's watcher may still be stopping.
      watching = watching.then(() => watcher.run(signal)).catch(onError);
    },
    stop() {
      stopWatching.abort();
      sender.stop();
    },
  };
}

type Texts = ReadonlyMap<string, LiveText>;

/** Combines the texts of two stores. The second store takes precedence for a recording in both. */
function joinTexts(first: Store<Texts>, second: Store<Texts>): Store<Texts> {
  let last: { readonly parts: readonly [Texts, Texts]; readonly joined: Texts } | null = null;
  return {
    get() {
      const parts = [first.get(), second.get()] as const;
      if (last?.parts[0] !== parts[0] || last.parts[1] !== parts[1]) {
        last = { parts, joined: new Map([...parts[0], ...parts[1]]) };
      }
      return last.joined;
    },
    subscribe: merged(first, second),
  };
}
