import type { CallFailure } from '@linnet/contract/client';
import type { FirmwareErrorCode } from '@linnet/device/session';
import type { RecorderFailure } from './recorder.ts';
import type { Store } from './store.ts';

/** A firmware version that the server has published for the recorder. */
export type PublishedFirmware = {
  readonly version: string;
  /** Release notes in the vendor's language; may be empty. */
  readonly notes: string;
  /** Size of the image in bytes. */
  readonly size: number;
  /** Minimum time in seconds to send the image to the recorder. */
  readonly seconds: number;
  /** ISO 8601. */
  readonly publishedAt: string;
};

/** The firmware that the server offers for this model. */
export type OfferedFirmware =
  /** The server hasn't been asked yet. */
  | { readonly status: 'unknown' }
  | { readonly status: 'checking' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  /** The server has no firmware for this model. */
  | { readonly status: 'none' }
  | { readonly status: 'found'; readonly firmware: PublishedFirmware };

/** Why an update failed. The recorder still runs its previous version. */
export type FirmwareFailure =
  /** The recorder refused the update. `number` is the specification's error number, 1 to 9. */
  | { readonly kind: 'refused'; readonly code: FirmwareErrorCode; readonly number: number }
  /** The connection to the recorder failed. */
  | { readonly kind: 'recorder'; readonly failure: RecorderFailure }
  /** The download from the server failed. */
  | { readonly kind: 'server'; readonly failure: CallFailure }
  /** The downloaded image doesn't match the published checksums. */
  | { readonly kind: 'damaged' }
  /** The recorder restarted with its previous version and gave no reason. */
  | { readonly kind: 'unchanged' };

/** The progress of an update, from the download to the recorder's confirmation. */
export type FirmwareUpdate =
  | { readonly status: 'idle' }
  /** The image is being downloaded to this phone. */
  | { readonly status: 'fetching'; readonly firmware: PublishedFirmware }
  /** The image is being sent to the recorder. `percent` is 0 to 99; `secondsLeft` is the minimum remaining time. */
  | {
      readonly status: 'sending';
      readonly firmware: PublishedFirmware;
      readonly percent: number;
      readonly secondsLeft: number;
    }
  /** The recorder is waiting for the user to confirm a downgrade with its button. */
  | { readonly status: 'asking'; readonly firmware: PublishedFirmware }
  /** The recorder accepted the update and is restarting. */
  | { readonly status: 'restarting'; readonly firmware: PublishedFirmware; readonly sn: string }
  /** The recorder confirmed the new version. */
  | { readonly status: 'done'; readonly version: string }
  | {
      readonly status: 'failed';
      /** The recorder's serial number, or null if no recorder was connected. */
      readonly sn: string | null;
      /** The progress at the time of failure. */
      readonly percent: number;
      readonly failure: FirmwareFailure;
    };

export type FirmwareService = {
  readonly offered: Store<OfferedFirmware>;
  readonly update: Store<FirmwareUpdate>;
  /** Checks which version the server offers for the connected recorder. */
  check(): Promise<void>;
  /** Starts the offered update. After a failure, the same recorder must be connected. `update` reports the outcome. */
  start(): Promise<void>;
  /** Cancels the update before the whole image has been sent. The recorder keeps its version. */
  cancel(): void;
  /** Dismisses the last update's outcome, or stops waiting for a restart. */
  dismiss(): void;
};
