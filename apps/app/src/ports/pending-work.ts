import type { CallFailure } from '@linnet/contract/client';
import type { Trouble } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * The reason of a pending recording.
 *
 * - `turn`: queued behind others. `server`: being processed. `recorder`: not connected.
 * - `offline`: the server is unreachable. `no_room`: this phone is full.
 * - `wifi_only`: the user allows only Wi-Fi. `stopped`: for the reason in `trouble`.
 */
export type PendingReason =
  | { readonly reason: 'turn' | 'server' | 'recorder' | 'no_room' | 'wifi_only' }
  | { readonly reason: 'offline'; readonly failure: CallFailure | null }
  | { readonly reason: 'stopped'; readonly trouble: Trouble };

/** A recording with a pending step. */
export type PendingRecord = {
  readonly id: string;
  readonly step: 'fetch' | 'upload' | 'transcribe' | 'download';
  readonly why: PendingReason;
};

export type PendingWork = {
  /** Number of edits not yet sent to the server. */
  readonly changes: number;
  readonly records: readonly PendingRecord[];
  /** Recordings that are not uploaded automatically because automatic sync is off or not available. */
  readonly pausedUploads: number;
  /** The reason of the pause in automatic uploads; null if there is none. */
  readonly uploadPause: 'not_member' | 'cloud_off' | 'switched_off' | null;
};

export type PendingWorkService = {
  /** All pending work with reasons, updated while subscribed. */
  readonly state: Live<PendingWork>;
  /** The last complete sync with the server, in milliseconds since 1970; null before the first. */
  lastSync(): number | null;
};
