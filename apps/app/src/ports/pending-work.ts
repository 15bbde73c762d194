import type { CallFailure } from '@linnet/contract/client';
import type { Trouble } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * The reason why the work on a recording is pending.
 *
 * - `turn`: Other work is done first.
 * - `server`: The server is processing the recording.
 * - `recorder`: The recorder is not connected.
 * - `no_room`: This phone has too little disk space.
 * - `wifi_only`: The user allows transfers over Wi-Fi only.
 * - `offline`: The server is unreachable.
 * - `stopped`: The last attempt failed for the reason in `trouble`.
 */
export type PendingReason =
  | { readonly reason: 'turn' | 'server' | 'recorder' | 'no_room' | 'wifi_only' }
  | { readonly reason: 'offline'; readonly failure: CallFailure | null }
  | { readonly reason: 'stopped'; readonly trouble: Trouble };

/** A recording with pending work. */
export type PendingRecord = {
  readonly id: string;
  readonly step: 'fetch' | 'upload' | 'transcribe' | 'download';
  readonly why: PendingReason;
};

export type PendingWork = {
  /** The number of edits that have not been sent to the server yet. */
  readonly changes: number;
  readonly records: readonly PendingRecord[];
  /** The number of recordings that are not uploaded because automatic uploads are paused. */
  readonly pausedUploads: number;
  /** The reason why automatic uploads are paused; null if they are not. */
  readonly uploadPause: 'not_member' | 'cloud_off' | 'switched_off' | null;
};

export type PendingWorkService = {
  /** All pending work with the reasons. */
  readonly state: Live<PendingWork>;
  /** Returns the time of the last complete sync in milliseconds since 1970; null before the first sync. */
  lastSync(): number | null;
};
