import type { CallFailure } from '@linnet/contract/client';
import type { Trouble } from '@linnet/sync';
import type { Live } from './store.ts';

/**
 * Why something waits.
 *
 * - `turn`: others go first. `server`: it works on it. `recorder`: it is not connected.
 * - `offline`: the server does not answer. `no_room`: this phone is full.
 * - `wifi_only`: its owner lets only WiFi carry it. `stopped`: for the reason in `trouble`.
 */
export type WhyWaiting =
  | { readonly because: 'turn' | 'server' | 'recorder' | 'no_room' | 'wifi_only' }
  | { readonly because: 'offline'; readonly failure: CallFailure | null }
  | { readonly because: 'stopped'; readonly trouble: Trouble };

/** A recording that is on its way. */
export type WaitingRecord = {
  readonly id: string;
  readonly step: 'fetch' | 'upload' | 'transcribe' | 'download';
  readonly why: WhyWaiting;
};

export type WaitingState = {
  /** Changes that the server was not told yet. */
  readonly changes: number;
  readonly records: readonly WaitingRecord[];
  /** Recordings that stay on this phone until somebody asks: automatic sync is off, or not theirs. */
  readonly atRest: number;
  /** Why nothing goes to the server by itself; null where it does. */
  readonly rests: 'not_member' | 'cloud_off' | 'switched_off' | null;
};

export type WaitingService = {
  /** What waits, and why; follows what happens while somebody looks. */
  readonly state: Live<WaitingState>;
  /** When everything was last exchanged with the server, milliseconds since 1970; null before that. */
  lastSync(): number | null;
};
