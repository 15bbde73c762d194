import type { Freed, RetainedCopy } from '@linnet/sync';
import type { Live } from './store.ts';

/** The disk space that Linnet uses on this phone, in bytes. */
export type PhoneSpace = {
  /** Original audio, including the files created for playback. */
  readonly audio: number;
  /** Denoised versions. */
  readonly cleaner: number;
  /** Texts, lists and the search index. */
  readonly database: number;
  /** The app itself and other browser data; 0 if the platform does not report it. */
  readonly rest: number;
  /** The remaining quota; null if the platform does not report it. */
  readonly free: number | null;
  /** The size of each recording of the account, including partial transfers, largest first. */
  readonly recordings: readonly { readonly id: string; readonly bytes: number }[];
  /** The total size of recordings of other accounts on this phone. */
  readonly others: number;
};

export type { Freed, RetainedCopy };

export type PhoneSpaceService = {
  /** Measured on subscription, and whenever recordings change while subscribed. */
  readonly space: Live<PhoneSpace>;
  /**
   * Deletes the audio of recordings from this phone, each after the server has confirmed that it has an identical
   * copy. The recordings remain and are played from the cloud.
   * @param options.fromRecordingPage whether the recording's own page requests this. The audio may then be deleted
   *   even though the player on that page is using it.
   */
  free(ids: readonly string[], options?: { readonly fromRecordingPage?: boolean }): Promise<Freed>;
};
