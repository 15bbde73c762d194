import type { Calls } from './generated/calls.ts';
import { routes } from './generated/routes.ts';
import { type BodyArgs, type CallFailure, createTransport } from './transport.ts';

export interface LinnetOptions {
  /** The server's URL, such as `https://linnet.example`. */
  readonly server: string;
  /** An API key, or an access token. */
  readonly key: string;
  /** The timeout per call, in milliseconds. Defaults to one minute, because scripts can wait longer than people. */
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
  /** The server's error code (see `codes`), or null if the server didn't return a code. */
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
      return "can't connect to the server";
    case 'timeout':
      return 'the request timed out';
    case 'aborted':
      return 'aborted';
    case 'malformed':
      return "the response didn't come from a Linnet server";
  }
}

/** Default timeout in milliseconds. */
const defaultTimeoutMs = 60_000;

/** Creates a client. No request is made until the first call. */
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
