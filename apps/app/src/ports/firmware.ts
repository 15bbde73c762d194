import type { CallFailure } from '@linnet/contract/client';
import type { FirmwareErrorCode } from '@linnet/device/session';
import type { RecorderFailure } from './recorder.ts';
import type { Store } from './store.ts';

/** A version of the recorder's firmware, as the server publishes it. */
export type PublishedFirmware = {
  readonly version: string;
  /** What is new in it, in whatever language its maker wrote it; may be empty. */
  readonly notes: string;
  /** Bytes of the image. */
  readonly size: number;
  /** That it takes to the recorder, at least. */
  readonly seconds: number;
  /** ISO-8601 */
  readonly publishedAt: string;
};

/** What the server offers the recorder's model. */
export type OfferedFirmware =
  /** Nobody has looked. */
  | { readonly status: 'unknown' }
  | { readonly status: 'looking' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  /** The server publishes none for this model. */
  | { readonly status: 'none' }
  | { readonly status: 'found'; readonly firmware: PublishedFirmware };

/** Why new firmware is not on the recorder. It runs what it ran before. */
export type FirmwareFailure =
  /** The recorder does not take it; `number` is the specification's, 1 to 9. */
  | { readonly kind: 'refused'; readonly code: FirmwareErrorCode; readonly number: number }
  /** Something between phone and recorder. */
  | { readonly kind: 'recorder'; readonly failure: RecorderFailure }
  /** The image did not come from the server. */
  | { readonly kind: 'server'; readonly failure: CallFailure }
  /** What came from the server is not what it published. */
  | { readonly kind: 'damaged' }
  /** The recorder was restarted and runs what it ran before, without a word why. */
  | { readonly kind: 'unchanged' };

/** An update from its first byte to the recorder's own word on it. */
export type FirmwareUpdate =
  | { readonly status: 'idle' }
  /** From the server to this phone. */
  | { readonly status: 'fetching'; readonly firmware: PublishedFirmware }
  /** To the recorder: 0 to 99 percent; seconds that the rest takes at least. */
  | {
      readonly status: 'sending';
      readonly firmware: PublishedFirmware;
      readonly percent: number;
      readonly secondsLeft: number;
    }
  /** It is older than what runs: the recorder asks its owner, who answers with its button. */
  | { readonly status: 'asking'; readonly firmware: PublishedFirmware }
  /** The recorder took it, and has yet to come back with it: this one, whatever others do meanwhile. */
  | { readonly status: 'restarting'; readonly firmware: PublishedFirmware; readonly sn: string }
  /** The recorder said that it runs this version now. */
  | { readonly status: 'done'; readonly version: string }
  /** `sn`: whose update it was, null where no recorder was connected; `percent`: how far it had come. */
  | {
      readonly status: 'failed';
      readonly sn: string | null;
      readonly percent: number;
      readonly failure: FirmwareFailure;
    };

export type FirmwareService = {
  readonly offered: Store<OfferedFirmware>;
  readonly update: Store<FirmwareUpdate>;
  /** Asks the server what it publishes for the model that is connected. */
  look(): Promise<void>;
  /**
   * Brings the recorder what is offered for its model; after a failure, only to the one that it failed on.
   * It ends in `update`.
   */
  start(): Promise<void>;
  /** Calls off what is being fetched or sent; the recorder keeps what it has. */
  cancel(): void;
  /** Puts away how the last update ended, or waits no more for a recorder that restarts. */
  dismiss(): void;
};
