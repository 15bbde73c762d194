import {
  type CallFailure,
  type CallOptions,
  type CallResult,
  createTransport,
  type Transport,
  type TransportOptions,
} from '@linnet/client/transport';
import type { CallBody, CallData } from './calls.ts';
import type { CallName, Route } from './routes.ts';
import { prefixes, routes } from './routes.ts';

export type { CallFailure, CallOptions, CallResult };
export type ClientOptions = TransportOptions;

/** The calls with the types of their schemas. */
type ContractTypes = {
  readonly [Name in CallName]: { readonly body: CallBody<Name>; readonly data: CallData<Name> };
};

export type Client = Transport<ContractTypes>;

/** Creates a client for the server's calls. Uses the schemas only as types, so they aren't loaded. */
export function createClient(options: ClientOptions): Client {
  return createTransport<ContractTypes>((name) => {
    const { method, path, host, auth, form }: Route = routes[name];
    return { method, path: `${prefixes[host]}${path}`, auth, form: form ?? false };
  }, options);
}
