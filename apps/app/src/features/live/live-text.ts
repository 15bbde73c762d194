/** Implements live text: sends recordings in progress to the server, and provides the recognized text. */
import type { Client } from '@linnet/contract/client';
import type { SpokenLanguage } from '@linnet/contract/languages';
import { type AudioStore, type Clock, LiveSender, type LiveSink, type Log } from '@linnet/sync';
import type { LiveTextService } from '../../ports/live.ts';
import type { CloudPolicies } from '../transfers/cloud-policy.ts';

export type LiveTextOptions = {
  readonly client: Client;
  readonly audio: Pick<AudioStore, 'readPackets'>;
  readonly policy: CloudPolicies['live'];
  /** Returns a recording's own language, or null if it has none. */
  readonly languageOf: (recordId: string) => SpokenLanguage | null;
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
  /** Cuts delays short. Call it when the connection or the page's visibility has changed. */
  wake(): void;
  /** Stops sending and forgets all text. Call it before the account signs out. */
  stop(): void;
};

export function createLiveTexts(options: LiveTextOptions): LiveTexts {
  const { client, policy, languageOf, watchPolicy, ...rest } = options;
  const sender = new LiveSender({
    ...rest,
    append: (body, signal) => client.call('live/append', body, { signal }),
    language(recordId) {
      const current = policy(languageOf(recordId));
      return current.status === 'ready' ? current.language : null;
    },
  });
  return {
    service: {
      availability: { get: () => policy().status, subscribe: watchPolicy },
      texts: sender.texts,
      watch: (recordId) => sender.watch(recordId),
    },
    sink: sender,
    wake: () => sender.wake(),
    stop: () => sender.stop(),
  };
}
