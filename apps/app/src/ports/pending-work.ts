import type { CallFailure } from '@linnet/contract/client';
import type { Problem } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * Why a recording's work is pending.
 *
 * - `turn`: other work comes first
 * - `server`: the server is processing the recording
 * - `recorder`: the recorder isn't connected
 * - `no_room`: this phone has too little disk space
 * - `wifi_only`: the user allows transfers only over Wi-Fi
 * - `offline`: the server is unreachable
 * - `stopped`: the last attempt failed, for the reason in `problem`
 */
export type PendingReason =
  | { readonly reason: 'turn' | 'server' | 'recorder' | 'no_room' | 'wifi_only' }
  | { readonly reason: 'offline'; readonly failure: CallFailure | null }
  | { readonly reason: 'stopped'; readonly problem: Problem };

/** A recording with pending work. */
export type PendingRecord = {
  readonly id: string;
  readonly step: 'fetch' | 'upload' | 'transcribe' | 'download';
  readonly cause: PendingReason;
};

export type PendingWork = {
  /** Number of edits to send to the server. Edits of a recording that isn't uploaded are part of its upload. */
  readonly changes: number;
  readonly records: readonly PendingRecord[];
  /** Number of recordings not uploaded because automatic uploads are paused. */
  readonly pausedUploads: number;
  /** Why automatic uploads are paused; null if they aren't. */
  readonly uploadPause: 'not_member' | 'cloud_off' | 'switched_off' | null;
};

export type PendingWorkService = {
  /** All pending work, with the reasons. */
  readonly state: Live<PendingWork>;
  /** Returns the time of the last complete sync in milliseconds since 1970, or null before the first sync. */
  lastSync(): number | null;
};
