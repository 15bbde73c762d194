import type { Freed, RetainedCopy } from '@linnet/sync';
import type { Live } from './store.ts';

/** Storage used by Linnet on this phone, in bytes. */
export type PhoneSpace = {
  /** Original audio, with the files made for playback. */
  readonly audio: number;
  /** Denoised versions. */
  readonly cleaner: number;
  /** Texts, lists and the search index. */
  readonly database: number;
  /** The app itself and other browser data; 0 if not reported. */
  readonly rest: number;
  /** The remaining quota; null if not reported. */
  readonly free: number | null;
  /** Total size of each recording of the account, including those being transferred, largest first. */
  readonly recordings: readonly { readonly id: string; readonly bytes: number }[];
  /** Recordings of other accounts on this phone. */
  readonly others: number;
};

export type { Freed, RetainedCopy };

export type PhoneSpaceService = {
  /** Measured while subscribed, and again when recordings change. */
  readonly space: Live<PhoneSpace>;
  /**
   * Deletes the audio of recordings from this phone, each after the server has confirmed an identical copy. The
   * recordings remain and play from the cloud.
   * @param options.fromRecordingPage whether the recording's own page asks, whose player then does not keep the
   *   audio in use
   */
  free(ids: readonly string[], options?: { readonly fromRecordingPage?: boolean }): Promise<Freed>;
};
