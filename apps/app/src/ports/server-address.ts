import type { Outcome } from './store.ts';

/** The reason why an address was rejected. */
export type AddressFailure =
  /** It is not a valid address. */
  | 'not_address'
  /** It is an HTTP address, which the browser blocks because the app was loaded over HTTPS. */
  | 'insecure'
  /** This device is offline. */
  | 'offline'
  /** The server does not respond. */
  | 'no_answer'
  /** The server responded, but the browser blocks the response, usually because of CORS. */
  | 'blocked'
  /** Another server responded. */
  | 'not_linnet'
  /** The server is currently out of service. */
  | 'unavailable';

/** A Linnet server that responded. `address` is its origin. */
export type FoundServer = { readonly address: string; readonly version: string };

export type ServerAddressService = {
  /** The origin of the current server. */
  readonly current: string;
  /** The origin that the app was loaded from. */
  readonly own: string;
  /** Checks the server at an address entered by the user, without switching to it. */
  find(input: string): Promise<Outcome<FoundServer, AddressFailure>>;
  /** Signs out and restarts the app with another server. Local data is kept for the next sign-in. */
  use(address: string): Promise<void>;
};
