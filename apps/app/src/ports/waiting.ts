import type { CallFailure } from '@linnet/contract/client';
import type { Trouble } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * Why a recording is waiting.
 *
 * - `turn`: others go first. `server`: being processed. `recorder`: not connected.
 * - `offline`: the server is unreachable. `no_room`: this phone is full.
 * - `wifi_only`: the user allows only Wi-Fi. `stopped`: for the reason in `trouble`.
 */
export type WhyWaiting =
  | { readonly because: 'turn' | 'server' | 'recorder' | 'no_room' | 'wifi_only' }
  | { readonly because: 'offline'; readonly failure: CallFailure | null }
  | { readonly because: 'stopped'; readonly trouble: Trouble };

/** A recording in progress. */
export type WaitingRecord = {
  readonly id: string;
  readonly step: 'fetch' | 'upload' | 'transcribe' | 'download';
  readonly why: WhyWaiting;
};

export type WaitingState = {
  /** Number of edits not yet sent to the server. */
  readonly changes: number;
  readonly records: readonly WaitingRecord[];
  /** Recordings that are not uploaded automatically, because automatic sync is off or not available. */
  readonly atRest: number;
  /** Why nothing is uploaded automatically; null if it is. */
  readonly rests: 'not_member' | 'cloud_off' | 'switched_off' | null;
};

export type WaitingService = {
  /** Everything that is pending, and why; updated while subscribed. */
  readonly state: Live<WaitingState>;
  /** The last complete sync with the server, in milliseconds since 1970; null before the first. */
  lastSync(): number | null;
};
