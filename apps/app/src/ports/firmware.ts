import type { CallFailure } from '@linnet/contract/client';
import type { FirmwareErrorCode } from '@linnet/device/session';
import type { RecorderFailure } from './recorder.ts';
import type { Store } from './store.ts';

/** A version of the recorder's firmware, as published by the server. */
export type PublishedFirmware = {
  readonly version: string;
  /** Release notes, in the vendor's language; may be empty. */
  readonly notes: string;
  /** Size of the image in bytes. */
  readonly size: number;
  /** Minimum transfer time to the recorder, in seconds. */
  readonly seconds: number;
  /** ISO-8601 */
  readonly publishedAt: string;
};

/** The firmware the server offers for the recorder's model. */
export type OfferedFirmware =
  /** Not checked yet. */
  | { readonly status: 'unknown' }
  | { readonly status: 'looking' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  /** The server publishes none for this model. */
  | { readonly status: 'none' }
  | { readonly status: 'found'; readonly firmware: PublishedFirmware };

/** The reason of a failed update. The recorder still runs its previous version. */
export type FirmwareFailure =
  /** Refused by the recorder; `number` is the specification's, 1 to 9. */
  | { readonly kind: 'refused'; readonly code: FirmwareErrorCode; readonly number: number }
  /** The connection to the recorder failed. */
  | { readonly kind: 'recorder'; readonly failure: RecorderFailure }
  /** The download from the server failed. */
  | { readonly kind: 'server'; readonly failure: CallFailure }
  /** The download does not match the published checksums. */
  | { readonly kind: 'damaged' }
  /** The recorder restarted with its previous version, without giving a reason. */
  | { readonly kind: 'unchanged' };

/** The progress of an update, from the download to the recorder's confirmation. */
export type FirmwareUpdate =
  | { readonly status: 'idle' }
  /** Downloading to this phone. */
  | { readonly status: 'fetching'; readonly firmware: PublishedFirmware }
  /** Sending to the recorder: 0 to 99 percent, and the minimum remaining seconds. */
  | {
      readonly status: 'sending';
      readonly firmware: PublishedFirmware;
      readonly percent: number;
      readonly secondsLeft: number;
    }
  /** A downgrade: the recorder waits for the user to confirm it with its button. */
  | { readonly status: 'asking'; readonly firmware: PublishedFirmware }
  /** The recorder accepted the update and is restarting. */
  | { readonly status: 'restarting'; readonly firmware: PublishedFirmware; readonly sn: string }
  /** The recorder confirmed the new version. */
  | { readonly status: 'done'; readonly version: string }
  /** `sn`: the recorder concerned, null if none was connected; `percent`: progress at the failure. */
  | {
      readonly status: 'failed';
      readonly sn: string | null;
      readonly percent: number;
      readonly failure: FirmwareFailure;
    };

export type FirmwareService = {
  readonly offered: Store<OfferedFirmware>;
  readonly update: Store<FirmwareUpdate>;
  /** Checks which version the server publishes for the connected model. */
  check(): Promise<void>;
  /**
   * Starts the offered update. After a failure it requires the same recorder. The outcome appears in `update`.
   */
  start(): Promise<void>;
  /** Cancels a download or transfer; the recorder keeps its version. */
  cancel(): void;
  /** Dismisses the outcome of the last update, or stops waiting for a restart. */
  dismiss(): void;
};
