import type { Calls } from './generated/calls.ts';
import { routes } from './generated/routes.ts';
import { type BodyArgs, type CallFailure, createTransport } from './transport.ts';

export interface LinnetOptions {
  /** The server's address, such as `https://linnet.example`. */
  readonly server: string;
  /** An API key, or an access token. */
  readonly key: string;
  /** The timeout per call, in milliseconds. A minute if absent, because scripts have more time than people. */
  readonly timeoutMs?: number;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface Linnet {
  /**
   * Makes a call and returns its data.
   * @throws LinnetError if the call failed
   */
  call<Name extends keyof Calls>(
    name: Name,
    ...args: BodyArgs<Calls[Name]['body']>
  ): Promise<Calls[Name]['data']>;
}

/** A failed call. */
export class LinnetError extends Error {
  override readonly name = 'LinnetError';
  readonly failure: CallFailure;
  /** The server's code, of `codes`; null if the server didn't respond with one. */
  readonly code: number | null;

  constructor(call: string, failure: CallFailure) {
    super(`${call}: ${describe(failure)}`, 'cause' in failure ? { cause: failure.cause } : {});
    this.failure = failure;
    this.code = failure.kind === 'server' ? failure.code : null;
  }
}

function describe(failure: CallFailure): string {
  switch (failure.kind) {
    case 'server':
      return `${failure.msg} (${failure.code})`;
    case 'http':
      return `HTTP status ${failure.status}`;
    case 'network':
      return 'no connection to the server';
    case 'timeout':
      return 'no response in time';
    case 'aborted':
      return 'aborted';
    case 'malformed':
      return 'the response is not from a Linnet server';
  }
}

/** Default timeout in milliseconds. */
const defaultTimeoutMs = 60_000;

/** Opens a client. It makes no request until the first call. */
export function createLinnet({ server, key, timeoutMs, fetch }: LinnetOptions): Linnet {
  const transport = createTransport<Calls>((name) => routes[name], {
    baseUrl: server.replace(/\/+$/, ''),
    tokens: { access: () => key, refresh: () => key },
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
    ...(fetch && { fetch }),
  });
  return {
    async call(name, ...args) {
      const result = await transport.call(name, ...args);
      if (!result.ok) throw new LinnetError(name, result.failure);
      return result.data;
    },
  };
}
