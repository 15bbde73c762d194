/** Types shared by the services for third-party recorders. Implemented in `features/foreign`. */
import type { LinkState, RecorderFailure } from './recorder.ts';
import type { Outcome, Store } from './store.ts';

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** The state of a recorder that the account has added, while it isn't connected. */
export type ForeignDisconnected = Without<
  Exclude<LinkState, { status: 'none' | 'connected' | 'hotspot' }>,
  'sn' | 'name'
>;

/** A recorder's state. `Facts` are available while it's connected. */
export type ForeignState<Facts> =
  /** The account has no such recorder on this device. */
  | { readonly status: 'none' }
  | ({ readonly name: string } & (
      | ForeignDisconnected
      | ({ readonly status: 'connected' } & Facts)
    ));

export type ForeignService<State> = {
  readonly state: Store<State>;
  /** Connects to the remembered recorder. Some browsers require a tap. */
  reconnect(): Promise<Outcome<null, RecorderFailure>>;
  /** Disconnects without reconnecting automatically. */
  disconnect(): Promise<void>;
  /** Removes the recorder from this device. */
  forget(): Promise<void>;
};
