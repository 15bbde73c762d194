/**
 * Makes calls to a Linnet server. Generic over the calls: the app uses it with the contract's types, and other programs
 * use it with the generated types.
 */
import { codes } from './generated/codes.ts';

/** A call's endpoint and the token it requires. */
export interface CallRoute {
  readonly method: 'GET' | 'POST';
  /** Path including the prefix. */
  readonly path: string;
  readonly auth: 'none' | 'access' | 'refresh';
  /** Whether the body is multipart/form-data with a file. */
  readonly form: boolean;
}

/** The body and data types of each call, keyed by name. */
export type CallTypes<Types> = {
  readonly [Name in keyof Types]: { readonly body: unknown; readonly data: unknown };
};

/** Why a call returned no data. The messages shown to the user are in the app's translations. */
export type CallFailure =
  /** The server responded with an error code, possibly one unknown to this version. */
  | { readonly kind: 'server'; readonly code: number; readonly msg: string }
  /** There was no response, for example because the device is offline or the connection was refused. */
  | { readonly kind: 'network'; readonly cause: unknown }
  /** There was no response before the timeout. */
  | { readonly kind: 'timeout' }
  /** The caller aborted the call. */
  | { readonly kind: 'aborted' }
  /** The response has an HTTP status other than 200. */
  | { readonly kind: 'http'; readonly status: number }
  /** The response has status 200 but isn't an envelope, so it didn't come from our server. */
  | { readonly kind: 'malformed' };

export type CallResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly failure: CallFailure };

export interface TransportOptions {
  /**
   * The server's origin, such as `http://localhost:8080`, or '' for the page's own origin. If it's a function, it's
   * evaluated on each call.
   */
  readonly baseUrl: string | (() => string);
  /** Provides the tokens. If a token is null, no Authorization header is sent and the server responds with 4200002. */
  readonly tokens?: {
    access(): Promise<string | null> | string | null;
    refresh(): Promise<string | null> | string | null;
    /**
     * Called if the server reports that the token `expired` is no longer valid (4200001). Returns a new access token
     * for a single retry, or null to pass the failure on to the caller.
     */
    renew?(expired: string): Promise<string | null>;
  };
  /** Returns extra headers for each call, such as X-Tenant-Id. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** The timeout per call, in milliseconds. Defaults to ten seconds. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The timeout for this call, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The arguments of a call after its name. */
export type BodyArgs<Body> = undefined extends Body
  ? [body?: Body, options?: CallOptions]
  : [body: Body, options?: CallOptions];

export interface Transport<Types extends CallTypes<Types>> {
  /** Makes a call. Never rejects: errors are returned as failures. */
  call<Name extends keyof Types & string>(
    name: Name,
    ...args: BodyArgs<Types[Name]['body']>
  ): Promise<CallResult<Types[Name]['data']>>;
}

/** Default timeout in milliseconds. */
const defaultTimeoutMs = 10_000;

/** Creates a transport. @param getRoute returns the route of a call */
export function createTransport<Types extends CallTypes<Types>>(
  getRoute: (name: keyof Types & string) => CallRoute,
  options: TransportOptions,
): Transport<Types> {
  const base = () => (typeof options.baseUrl === 'string' ? options.baseUrl : options.baseUrl());

  async function tokenFor(route: CallRoute): Promise<string | null> {
    if (route.auth === 'none' || !options.tokens) return null;
    return route.auth === 'access' ? options.tokens.access() : options.tokens.refresh();
  }

  async function send<Data>(
    route: CallRoute,
    body: unknown,
    token: string | null,
    { signal, timeoutMs }: CallOptions,
  ): Promise<CallResult<Data>> {
    const timeout = AbortSignal.timeout(timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs);
    const headers: Record<string, string> = { Accept: 'application/json', ...options.headers?.() };
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    const init: RequestInit = {
      method: route.method,
      headers,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      credentials: 'omit',
    };
    if (route.form) init.body = toForm(body);
    else if (route.method === 'POST') {
      headers['Content-Type'] = 'application/json';
      init.body = JSON.stringify(body ?? {});
    }
    try {
      const request = options.fetch ?? globalThis.fetch;
      const response = await request(`${base()}${route.path}`, init);
      if (response.status !== 200) return failed({ kind: 'http', status: response.status });
      return readEnvelope(await response.text());
    } catch (cause) {
      if (signal?.aborted) return failed({ kind: 'aborted' });
      if (timeout.aborted) return failed({ kind: 'timeout' });
      return failed({ kind: 'network', cause });
    }
  }

  return {
    async call<Name extends keyof Types & string>(
      name: Name,
      ...[body, callOptions = {}]: BodyArgs<Types[Name]['body']>
    ) {
      const route = getRoute(name);
      const token = await tokenFor(route);
      const first = await send<Types[Name]['data']>(route, body, token, callOptions);
      const isExpired =
        !first.ok && first.failure.kind === 'server' && first.failure.code === codes.tokenExpired;
      if (!isExpired || route.auth !== 'access' || token === null) return first;
      const newToken = await options.tokens?.renew?.(token);
      return newToken ? send<Types[Name]['data']>(route, body, newToken, callOptions) : first;
    },
  };
}

/** Converts a body to a form. Files come last, so the server has all other fields before it reads the file. */
function toForm(body: unknown): FormData {
  const form = new FormData();
  const fields = Object.entries(body ?? {}).filter(([, value]) => value !== undefined);
  for (const [name, value] of fields) if (!(value instanceof Blob)) form.set(name, `${value}`);
  for (const [name, value] of fields) if (value instanceof Blob) form.set(name, value);
  return form;
}

function failed(failure: CallFailure): { ok: false; failure: CallFailure } {
  return { ok: false, failure };
}

/** Reads a response's envelope. A `code` of 0 or '0' means success. */
function readEnvelope<Data>(text: string): CallResult<Data> {
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return failed({ kind: 'malformed' });
    throw error;
  }
  if (typeof envelope !== 'object' || envelope === null || !('code' in envelope)) {
    return failed({ kind: 'malformed' });
  }
  const code = Number(envelope.code);
  if (!Number.isInteger(code) || envelope.code === '' || envelope.code === null) {
    return failed({ kind: 'malformed' });
  }
  if (code === codes.ok)
    return { ok: true, data: ('data' in envelope ? envelope.data : null) as Data };
  const msg = 'msg' in envelope && typeof envelope.msg === 'string' ? envelope.msg : '';
  return failed({ kind: 'server', code, msg });
}
