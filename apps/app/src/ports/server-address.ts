import type { Outcome } from './store.ts';

/** The reason of a rejected address. */
export type AddressFailure =
  /** Not a valid address. */
  | 'not_address'
  /** A page loaded over HTTPS may not request HTTP. */
  | 'insecure'
  /** This device is offline. */
  | 'offline'
  /** No response. */
  | 'no_answer'
  /** The server responded, but the browser blocks the response, usually by CORS. */
  | 'blocked'
  /** The responding server is not a Linnet server. */
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
  /** Checks the server at an entered address without switching to it. */
  find(typed: string): Promise<Outcome<FoundServer, AddressFailure>>;
  /** Signs out and restarts with that server. Local data is retained for the next sign-in. */
  use(address: string): Promise<void>;
};
