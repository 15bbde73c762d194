import type { CallBody, CallData } from './calls.ts';
import { codes } from './codes.ts';
import { limits } from './limits.ts';
import type { CallName, Route } from './routes.ts';
import { prefixes, routes } from './routes.ts';

/** The reason why a call returned no data. Its wording belongs to the app's translations. */
export type CallFailure =
  /** The server answered with an error code, which this version may not know. */
  | { readonly kind: 'server'; readonly code: number; readonly msg: string }
  /** No response: offline, connection refused, name not resolved, blocked by CORS. */
  | { readonly kind: 'network'; readonly cause: unknown }
  /** No response within the time limit. */
  | { readonly kind: 'timeout' }
  /** Aborted by the caller's signal. */
  | { readonly kind: 'aborted' }
  /** Any HTTP status but 200. */
  | { readonly kind: 'http'; readonly status: number }
  /** HTTP 200 without the envelope: the response is from another service. */
  | { readonly kind: 'malformed' };

export type CallResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly failure: CallFailure };

export interface ClientOptions {
  /** Origin of the server, without a path: `http://localhost:8080`; '' for the page's own. Read on each call. */
  readonly baseUrl: string | (() => string);
  /** The source of tokens. Null sends no Authorization header, and the server answers 4200002. */
  readonly tokens?: {
    access(): Promise<string | null> | string | null;
    refresh(): Promise<string | null> | string | null;
    /**
     * Called when the server rejects `expired` as expired (4200001). Returns a fresh access token for one
     * retry, or null to return the failure to the caller.
     */
    renew?(expired: string): Promise<string | null>;
  };
  /** Additional headers of each call, such as X-Tenant-Id. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Milliseconds; defaults to `limits.requestTimeoutMs`. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds, for this call only. */
  readonly timeoutMs?: number;
}

type BodyArgs<Name extends CallName> =
  undefined extends CallBody<Name>
    ? [body?: CallBody<Name>, options?: CallOptions]
    : [body: CallBody<Name>, options?: CallOptions];

export interface Client {
  /** Makes a call. Errors are returned as failures, never thrown. */
  call<Name extends CallName>(
    name: Name,
    ...args: BodyArgs<Name>
  ): Promise<CallResult<CallData<Name>>>;
}

/** Creates a client for the server's calls. It uses only fetch and types, and loads no schemas. */
export function createClient(options: ClientOptions): Client {
  const base = () => (typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl());

  async function tokenFor(route: Route): Promise<string | null> {
    if (route.auth === 'none' || !options.tokens) return null;
    return route.auth === 'access' ? options.tokens.access() : options.tokens.refresh();
  }

  async function send<Name extends CallName>(
    name: Name,
    body: CallBody<Name> | undefined,
    token: string | null,
    { signal, timeoutMs }: CallOptions,
  ): Promise<CallResult<CallData<Name>>> {
    const route: Route = routes[name];
    const timeout = AbortSignal.timeout(timeoutMs ?? options.timeoutMs ?? limits.requestTimeoutMs);
    const headers: Record<string, string> = { Accept: 'application/json', ...options.headers?.() };
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    const init: RequestInit = {
      method: route.method,
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      credentials: 'omit',
    };
    if (route.method === 'POST') {
      headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(body ?? {});
    }
    try {
      const request = options.fetch ?? globalThis.fetch;
      const response = await request(`${base()}${prefixes[route.host]}${route.path}`, init);
      if (response.status !== 200) return failed({ kind: 'http', status: response.status });
      return read(await response.text());
    } catch (cause) {
      if (signal?.aborted) return failed({ kind: 'aborted' });
      if (timeout.aborted) return failed({ kind: 'timeout' });
      return failed({ kind: 'network', cause });
    }
  }

  return {
    async call(name, ...[body, callOptions = {}]) {
      const route: Route = routes[name];
      const token = await tokenFor(route);
      const first = await send(name, body, token, callOptions);
      const expired =
        !first.ok && first.failure.kind === 'server' && first.failure.code === codes.tokenExpired;
      if (!expired || route.auth !== 'access' || token === null) return first;
      const fresh = await options.tokens?.renew?.(token);
      return fresh ? send(name, body, fresh, callOptions) : first;
    },
  };
}

function failed(failure: CallFailure): { ok: false; failure: CallFailure } {
  return { ok: false, failure };
}

/** Reads an envelope; `code` 0 and '0' are success. */
function read<Data>(text: string): CallResult<Data> {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return failed({ kind: 'malformed' });
    throw error;
  }
  if (typeof answer !== 'object' || answer === null || !('code' in answer)) {
    return failed({ kind: 'malformed' });
  }
  const code = Number(answer.code);
  if (!Number.isInteger(code) || answer.code === '' || answer.code === null) {
    return failed({ kind: 'malformed' });
  }
  if (code === codes.ok) return { ok: true, data: ('data' in answer ? answer.data : null) as Data };
  const msg = 'msg' in answer && typeof answer.msg === 'string' ? answer.msg : '';
  return failed({ kind: 'server', code, msg });
}
