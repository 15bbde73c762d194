import type { Outcome } from './store.ts';

/** Why an address is rejected. */
export type AddressFailure =
  /** Not a valid address. */
  | 'not_address'
  /** A page loaded over HTTPS may not request HTTP. */
  | 'insecure'
  /** This device is offline. */
  | 'offline'
  /** No response. */
  | 'no_answer'
  /** There is a response that this app may not read; as far as a browser reports, CORS. */
  | 'blocked'
  /** The response is not a Linnet server's. */
  | 'not_linnet'
  /** A Linnet server that is currently out of service. */
  | 'unavailable';

/** A server that responded. `address` is an origin. */
export type FoundServer = { readonly address: string; readonly version: string };

export type ServerAddressService = {
  /** The origin of the current server. */
  readonly current: string;
  /** The origin from which the app was loaded. */
  readonly own: string;
  /** Checks the server at an entered address; changes nothing. */
  find(typed: string): Promise<Outcome<FoundServer, AddressFailure>>;
  /** Signs out and restarts with that server. Data on this phone stays, for signing in again. */
  use(address: string): Promise<void>;
};
