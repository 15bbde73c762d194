import type { CallFailure } from '@linnet/contract/client';
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

/** A recording's copy on this phone that stays, and why. */
export type StaysHere = {
  readonly id: string;
  /**
   * - `not_safe`: the cloud has no checked copy, or is not a place that its owner selected.
   * - `differs`: what the server has is not what lies here.
   * - `in_use`: it is being played, exported, or made cleaner.
   * - `failed`: the phone did not delete it.
   */
  readonly why: 'not_safe' | 'differs' | 'in_use' | 'failed';
};

/**
 * What came of freeing room: nothing was deleted where the server did not answer, or this phone could not note
 * what it is to be told.
 */
export type Freed =
  | { readonly ok: true; readonly bytes: number; readonly stays: readonly StaysHere[] }
  | { readonly ok: false; readonly code: 'server'; readonly failure: CallFailure }
  | { readonly ok: false; readonly code: 'phone' };

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
