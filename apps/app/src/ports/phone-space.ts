import type { Freed, StaysHere } from '@linnet/sync';
import type { Live } from './store.ts';

/** What Linnet takes of this phone, in bytes. */
export type PhoneSpace = {
  /** Recordings as they came, and the files they are played from. */
  readonly audio: number;
  /** Versions without noise. */
  readonly cleaner: number;
  /** Texts, lists, and what finds them. */
  readonly database: number;
  /** The app itself, and what else the browser keeps for it; 0 where it does not say. */
  readonly rest: number;
  /** What this browser still lets it take; null where it does not say. */
  readonly free: number | null;
  /** Everything of each recording of the account, or that is being brought over, the largest first. */
  readonly recordings: readonly { readonly id: string; readonly bytes: number }[];
  /** Recordings of other accounts that use this phone. */
  readonly others: number;
};

export type { Freed, StaysHere };

export type PhoneSpaceService = {
  /** Measured while somebody looks, and again when recordings change. */
  readonly space: Live<PhoneSpace>;
  /**
   * Deletes the audio of recordings from this phone, each only after the server said that it has the very
   * same bytes. The recordings stay, and play from the cloud.
   * @param options.fromItsPage whether the recording's own page asks, whose player is no reason to keep the audio
   */
  free(ids: readonly string[], options?: { readonly fromItsPage?: boolean }): Promise<Freed>;
};
