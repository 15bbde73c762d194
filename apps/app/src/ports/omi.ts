/** The service of an Omi: a recorder of another manufacturer. Implemented in `features/omi`. */
import type { OmiInfo, OmiPower } from '@linnet/omi';
import type { LinkState, RecorderFailure } from './recorder.ts';
import type { Outcome, Store } from './store.ts';

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
type Disconnected = Without<
  Exclude<LinkState, { status: 'none' | 'connected' | 'hotspot' }>,
  'sn' | 'name'
>;

export type OmiState =
  /** The account has no Omi on this device. */
  | { readonly status: 'none' }
  | ({ readonly name: string } & (
      | Disconnected
      | {
          readonly status: 'connected';
          readonly info: OmiInfo;
          readonly power: OmiPower;
          /** The stored recordings that are being transferred, in percent, or null if there are none. */
          readonly transfer: number | null;
        }
    ));

export type OmiService = {
  readonly state: Store<OmiState>;
  /** Milliseconds of the recording in progress that were lost on the air, and are silent. */
  readonly lostMs: Store<number>;
  /**
   * Whether stored recordings may be deleted from this Omi once the storage setting allows it. Initially false, because
   * it may be another person's.
   */
  readonly mayDelete: Store<boolean>;
  setMayDelete(isAllowed: boolean): void;
  /** Connects to the remembered Omi. Some browsers require a tap. */
  reconnect(): Promise<Outcome<null, RecorderFailure>>;
  /** Disconnects without reconnecting automatically. */
  disconnect(): Promise<void>;
  /** Removes the Omi from this device. */
  forget(): Promise<void>;
};
