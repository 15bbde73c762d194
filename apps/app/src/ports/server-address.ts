import type { Outcome } from './store.ts';

/** Why an address is not taken. */
export type AddressFailure =
  /** Nothing that could be an address. */
  | 'not_address'
  /** A page that came over HTTPS may not ask one without. */
  | 'insecure'
  /** This device is offline. */
  | 'offline'
  /** Nothing answers there. */
  | 'no_answer'
  /** Something answers, and does not let this app read it: as far as a browser tells, CORS. */
  | 'blocked'
  /** It answers, as no Linnet server does. */
  | 'not_linnet'
  /** It is there, and does not work at the moment. */
  | 'unavailable';

/** A server that was asked and answered. `address` is an origin. */
export type FoundServer = { readonly address: string; readonly version: string };

export type ServerAddressService = {
  /** The origin of the server that this app talks to. */
  readonly current: string;
  /** The origin from which the app itself came. */
  readonly own: string;
  /** Asks the server at what somebody typed; changes nothing. */
  find(typed: string): Promise<Outcome<FoundServer, AddressFailure>>;
  /** Signs out and starts again with that server. What is on this phone stays, for who comes back. */
  use(address: string): Promise<void>;
};
