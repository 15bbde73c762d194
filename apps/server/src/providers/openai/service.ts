/**
 * Client for services with OpenAI's API, used for recognition, analysis and embeddings. It retries transient failures
 * and classifies permanent failures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { APIError, OpenAI } from 'openai';

/** A time source. Tests inject their own. */
export interface Clock {
  /** Returns the current time in milliseconds. */
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const wallClock: Clock = {
  now: Date.now,
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

export interface ServiceOptions {
  /** URL up to and including `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  /** API key. Optional, because services on the same machine often don't require one. */
  readonly apiKey?: string | undefined;
  /** Timeout per request in milliseconds. */
  readonly timeoutMs?: number;
  /** Maximum total wait per call in milliseconds, if the service limits the request rate. */
  readonly maxWaitMs?: number;
  readonly clock?: Clock;
}

/** Default timeout in milliseconds, shorter than Node's timeout of five minutes for response headers. */
const TIMEOUT_MS = 290_000;
/** Default maximum of the total wait per call, in milliseconds. */
const MAX_WAIT_MS = 10 * 60_000;
/**
 * Maximum attempts after transient failures of the network or service. Longer outages are left to the job queue's
 * retries.
 */
const MAX_ATTEMPTS = 4;
/** Maximum attempts after timeouts. They are few, because each attempt occupies the worker for minutes. */
const MAX_TIMEOUTS = 2;
/** Maximum wait in milliseconds before a retry after a transient failure. */
const MAX_TRANSIENT_WAIT_MS = 30_000;
/** Maximum attempts after unreadable responses. */
const MAX_UNREADABLE = 3;
/** Delay before the first retry, in milliseconds. Doubles with each retry (exponential backoff). */
const BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/**
 * | code | cause |
 * |---|---|
 * | aborted | the caller aborted |
 * | unavailable | no response or a server error on every attempt, or a requested wait above the maximum |
 * | quota | the quota or credit is used up |
 * | refused | the key, model or URL was not accepted |
 * | rejected | the request was invalid; see `rejection` |
 * | unreadable | the response could not be parsed on any attempt |
 */
export type ServiceFailureCode =
  | 'aborted'
  | 'unavailable'
  | 'quota'
  | 'refused'
  | 'rejected'
  | 'unreadable';

/**
 * The only error that a service throws. It is logged, so it has no `cause`: errors from libraries and services may
 * quote keys and transcripts.
 */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  readonly code: ServiceFailureCode;
  readonly detail: string;
  /** Why the service rejected the request, only for the code `rejected`. */
  readonly rejection: Rejection | undefined;

  constructor(code: ServiceFailureCode, detail: string, rejection?: Rejection) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.rejection = rejection;
  }
}

/** Why the service rejected a request. */
export interface Rejection {
  readonly status: number;
  readonly code: string;
  /** Name of the invalid parameter, or '' if the service doesn't name it. */
  readonly field: string;
  /** Whether the request together with its answer exceeds the service's limit. */
  readonly isTooLong: boolean;
}

/** Thrown by a response parser for an unexpected response. The message doesn't quote the response. */
export class UnreadableResponse extends Error {
  override readonly name = 'UnreadableResponse';
}

export interface Service {
  /**
   * Sends a request and retries it until the response is readable.
   * @param send sends the request, with the given `signal`
   * @param parse throws UnreadableResponse
   * @throws ServiceFailure
   */
  request<Result>(
    send: (client: OpenAI, options: { readonly signal: AbortSignal }) => Promise<unknown>,
    parse: (response: unknown) => Result,
    signal?: AbortSignal,
  ): Promise<Result>;
}

/** Loads OpenAI's library on demand, because servers without such a service start faster without it. */
const loadLibrary = () => import('openai');
type Library = Awaited<ReturnType<typeof loadLibrary>>;

export function openService(options: ServiceOptions): Service {
  const { timeoutMs = TIMEOUT_MS, maxWaitMs = MAX_WAIT_MS, clock = wallClock } = options;
  let opened: Promise<{ library: Library; client: OpenAI }> | null = null;
  const open = async () => {
    const library = await loadLibrary();
    return { library, client: createClient(library, options.baseUrl, options.apiKey, timeoutMs) };
  };
  /** End of the wait that the service requested, which applies to all requests. */
  let pausedUntil = 0;

  async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await clock.wait(ms, signal);
    } catch (error) {
      if (signal?.aborted) throw new ServiceFailure('aborted', 'while waiting');
      throw error;
    }
  }

  return {
    async request(send, parse, signal) {
      let totalWaitMs = 0;
      let busyCount = 0;
      let failures = 0;
      let timeouts = 0;
      let unreadableCount = 0;
      opened ??= open();
      const { library, client } = await opened;
      for (;;) {
        while (clock.now() < pausedUntil) await wait(pausedUntil - clock.now(), signal);
        if (signal?.aborted) throw new ServiceFailure('aborted', 'by the caller');
        // The library's own timeout covers only the headers. This timeout also covers the body.
        const timeoutSignal = AbortSignal.timeout(timeoutMs);
        try {
          const combinedSignal = signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal;
          return parse(await send(client, { signal: combinedSignal }));
        } catch (error) {
          if (signal?.aborted) throw new ServiceFailure('aborted', 'by the caller');
          const requestError = timeoutSignal.aborted
            ? timedOut
            : classify(library, error, clock.now());
          switch (requestError.kind) {
            case 'final':
              throw requestError.failure;
            case 'unreadable':
              unreadableCount += 1;
              if (unreadableCount === MAX_UNREADABLE)
                throw new ServiceFailure('unreadable', requestError.detail);
              break;
            case 'busy': {
              // Some services keep requesting a wait of 0 s.
              const pause = Math.max(BACKOFF_MS, requestError.pauseMs ?? backoff(busyCount));
              busyCount += 1;
              totalWaitMs += pause;
              if (totalWaitMs > maxWaitMs) {
                throw new ServiceFailure('unavailable', `${requestError.detail}, wait too long`);
              }
              pausedUntil = Math.max(pausedUntil, clock.now() + pause);
              break;
            }
            case 'transient': {
              const pause = Math.max(backoff(failures), requestError.pauseMs ?? 0);
              failures += 1;
              if (requestError === timedOut) timeouts += 1;
              const isLast = failures === MAX_ATTEMPTS || timeouts === MAX_TIMEOUTS;
              if (isLast || pause > MAX_TRANSIENT_WAIT_MS)
                throw new ServiceFailure('unavailable', requestError.detail);
              await wait(pause, signal);
            }
          }
        }
      }
    },
  };
}

function createClient(
  { OpenAI }: Library,
  baseURL: string,
  apiKey: string | undefined,
  timeout: number,
): OpenAI {
  return new OpenAI({
    baseURL,
    // The library requires a key, which services without authentication ignore.
    apiKey: apiKey ?? 'none',
    // Prevents the library from reading the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout,
    fetch: fetchWithErrors,
  });
}

/**
 * Fetches a response. An error body without the field `error`, as sent by FastAPI and older versions of vLLM, is
 * wrapped in one, because the library drops any other error body.
 */
async function fetchWithErrors(url: string | URL | Request, options?: RequestInit) {
  const response = await fetch(url, options);
  if (response.ok) return response;
  const { status, headers } = response;
  const body = await response.text();
  return new Response(hasError(body) ? body : `{"error":${body}}`, { status, headers });
}

/** Returns false if the body is a JSON object without the field `error`. */
function hasError(body: string): boolean {
  try {
    const json: unknown = JSON.parse(body);
    return typeof json !== 'object' || json === null || 'error' in json;
  } catch {
    // The library reports any other body as text.
    return true;
  }
}

type RequestError =
  | { readonly kind: 'final'; readonly failure: ServiceFailure }
  | { readonly kind: 'unreadable'; readonly detail: string }
  /** The service limits the request rate; `pauseMs` is the wait that it requested, if any. */
  | { readonly kind: 'busy'; readonly detail: string; readonly pauseMs: number | undefined }
  /** The service is down, restarting or loading a model. */
  | { readonly kind: 'transient'; readonly detail: string; readonly pauseMs?: number | undefined };

const timedOut: RequestError = { kind: 'transient', detail: 'timed out' };

/** Matches the codes and types that mean an exhausted balance, as opposed to rate limiting. */
const QUOTA = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active)$/;

function classify(library: Library, error: unknown, now: number): RequestError {
  const { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } = library;
  if (error instanceof UnreadableResponse) return { kind: 'unreadable', detail: error.message };
  // A SyntaxError's message quotes the text, so it must not be logged.
  if (error instanceof SyntaxError) return { kind: 'unreadable', detail: 'invalid JSON' };
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return timedOut;
  }
  if (error instanceof APIConnectionError) {
    return { kind: 'transient', detail: `no connection ${systemCode(error)}`.trim() };
  }
  if (error instanceof APIError) {
    // Errors in a started stream have no status.
    if (error.status === undefined) return { kind: 'transient', detail: 'error in the stream' };
    return classifyStatus(error, error.status, now);
  }
  // fetch throws this if a body is truncated.
  if (error instanceof TypeError && error.message === 'terminated') {
    return { kind: 'transient', detail: `truncated response ${systemCode(error)}`.trim() };
  }
  throw error;
}

/** Matches the codes that OpenAI, Groq and others, Anthropic, and llama.cpp use for a request that is too long. */
const TOO_LONG_CODE =
  /^(context_length_exceeded|request_too_large|exceed_context_size_error|string_above_max_length)$/;
/**
 * Matches the corresponding messages from services without such a code: LM Studio ("context length of only 4096
 * tokens"), vLLM ("maximum context length is 4096 tokens"), Ollama ("the input length exceeds the context length"),
 * Groq ("Request too large for model"), Anthropic ("prompt is too long"), Gemini ("exceeds the maximum number of
 * tokens").
 */
const TOO_LONG_MESSAGE =
  /context (length|size|window)|(request|prompt|input|message)s?( is| are)? too (large|long)|maximum number of (input )?tokens/i;

function classifyStatus(error: APIError, status: number, now: number): RequestError {
  const code = name(error.code) || name(error.type);
  const detail = `${status} ${code}`.trim();
  const final = (kind: ServiceFailureCode) =>
    ({ kind: 'final', failure: new ServiceFailure(kind, detail) }) as const;
  if (status === 402 || QUOTA.test(name(error.code)) || QUOTA.test(name(error.type))) {
    return final('quota');
  }
  if (status === 401 || status === 403 || status === 404) return final('refused');
  const isTooLong =
    status === 413 ||
    [error.code, error.type].some((value) => TOO_LONG_CODE.test(name(value))) ||
    TOO_LONG_MESSAGE.test(error.message);
  const rejection = { status, code, field: name(error.param), isTooLong };
  const rejected = {
    kind: 'final',
    failure: new ServiceFailure('rejected', detail, rejection),
  } as const;
  // Waiting doesn't help, even if the service reports the request as rate-limited or as a server error.
  if (isTooLong) return rejected;
  const pauseMs = retryAfterMs(error.headers, now);
  if (status === 429) return { kind: 'busy', detail, pauseMs };
  if (status >= 500 || status === 408 || status === 409) {
    return { kind: 'transient', detail, pauseMs };
  }
  return rejected;
}

/**
 * Returns a value from a response if it is an identifier, or '' for anything else, which must not be logged. Numbers
 * don't count, because some services repeat the status as the code.
 */
function name(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,60}$/.test(value) ? value : '';
}

/** Returns the system error code (such as `ECONNREFUSED`) found in an error's cause chain, or ''. */
function systemCode(error: Error): string {
  for (let current: unknown = error; current instanceof Error; current = current.cause) {
    const { code } = current as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

/** Parses `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). Returns undefined if it is missing or invalid. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function backoff(failures: number): number {
  return Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** failures);
}
