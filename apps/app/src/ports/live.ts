import type { LiveText, OtherRecording } from '@linnet/sync';
import type { Store } from './store.ts';

/**
 * Whether recordings in progress have live text.
 *
 * - `off`: the user has turned it off, or recordings aren't uploaded automatically.
 * - `not_member`: the account isn't a member.
 * - `unsupported_language`: the server doesn't recognize the language.
 * - `network_not_allowed`: the user allows uploads only over Wi-Fi, and this device isn't using it.
 * - `unknown`: the settings haven't been read yet, or the server hasn't responded yet.
 */
export type LiveAvailability =
  | 'ready'
  | 'off'
  | 'not_member'
  | 'unsupported_language'
  | 'network_not_allowed'
  | 'unknown';

/** The text recognized in recordings while they are in progress. */
export type LiveTextService = {
  readonly availability: Store<LiveAvailability>;
  /**
   * The text of this device's recent recordings, and of other devices' recordings that have already been synced to this
   * device, keyed by recording ID.
   */
  readonly texts: Store<ReadonlyMap<string, LiveText>>;
  /** The recordings in progress on other devices, oldest first. */
  readonly others: Store<readonly OtherRecording[]>;
  /**
   * Polls for a recording's text while it is shown.
   * @returns a function that stops polling
   */
  watch(recordId: string): () => void;
};
