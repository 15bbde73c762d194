import type { Outcome } from './store.ts';

/** Why an address was rejected. */
export type AddressFailure =
  /** Not a valid address. */
  | 'not_address'
  /** An HTTP address, which the browser blocks because the app was loaded over HTTPS. */
  | 'insecure'
  /** This device is offline. */
  | 'offline'
  /** The server doesn't respond. */
  | 'no_answer'
  /** The server responded, but the browser blocks the response, usually because of CORS. */
  | 'blocked'
  /** The server that responded isn't a Linnet server. */
  | 'not_linnet'
  /** The server is temporarily out of service. */
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
