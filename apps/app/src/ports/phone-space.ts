import type { FreeResult, RetainedCopy } from '@linnet/sync';
import type { Live } from './store.ts';

/** The disk space that Linnet uses on this phone, in bytes. */
export type PhoneSpace = {
  /** Original audio, including the files created for playback. */
  readonly audio: number;
  /** Denoised versions. */
  readonly denoised: number;
  /** Text, lists and the search index. */
  readonly database: number;
  /** The app itself and other browser data; 0 if the platform doesn't report it. */
  readonly rest: number;
  /** The remaining quota; null if the platform doesn't report it. */
  readonly free: number | null;
  /** The size of each of the account's recordings, including partial transfers, largest first. */
  readonly recordings: readonly { readonly id: string; readonly bytes: number }[];
  /** Total size of other accounts' recordings on this phone. */
  readonly others: number;
};

export type { FreeResult, RetainedCopy };

export type PhoneSpaceService = {
  /** Measured on subscription, and whenever recordings change while subscribed. */
  readonly space: Live<PhoneSpace>;
  /**
   * Deletes the audio of recordings from this phone, each as soon as the server confirms that it has an identical copy.
   * The recordings remain and play from the cloud.
   * @param options.fromRecordingPage whether the request comes from the recording's page; playback on that page then
   * doesn't count as use
   */
  free(
    ids: readonly string[],
    options?: { readonly fromRecordingPage?: boolean },
  ): Promise<FreeResult>;
};
