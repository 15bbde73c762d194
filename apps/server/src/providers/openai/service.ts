/**
 * Client for services with OpenAI's API: retries transient failures and classifies permanent ones. Used by recognition
 * and analysis.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from 'openai';

/** Time as the service sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

const wallClock: Clock = {
  now: Date.now,
  wait: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

export interface ServiceOptions {
  /** Up to and with `/v1`, without a trailing slash. */
  readonly baseUrl: string;
  /** Optional: services on the same machine often require none. */
  readonly apiKey?: string | undefined;
  /** Milliseconds that one request may take. */
  readonly timeoutMs?: number;
  /** Maximum total wait per request in milliseconds when the service asks to wait. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
}

/** Below five minutes, after which Node itself gives up on an answer that has not begun. */
const TIMEOUT_MS = 290_000;
const PATIENCE_MS = 10 * 60_000;
/** Attempts for transient failures: the network, the service's own errors. */
const TRIES = 4;
/** Attempts for unreadable responses. */
const UNREADABLE_TRIES = 3;
/** Milliseconds before the second try; doubled for each further one, up to the longest. */
const BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 60_000;

/**
 * | code | cause |
 * |---|---|
 * | aborted | the caller's signal |
 * | unavailable | no answer, or errors of its own, on every try; or it asks to wait longer than we do |
 * | quota | it refuses until its operator pays |
 * | refused | it does not accept the key, or knows no such model or address |
 * | rejected | it does not accept the question: `status` and `field` say more |
 * | unreadable | its answer is not what was asked for, on every try |
 */
export type ServiceFailureCode =
  | 'aborted'
  | 'unavailable'
  | 'quota'
  | 'refused'
  | 'rejected'
  | 'unreadable';

/**
 * The only error a service throws. It is logged and therefore has no `cause`: errors of libraries and services may quote
 * keys and transcripts.
 */
export class ServiceFailure extends Error {
  override readonly name = 'ServiceFailure';
  readonly code: ServiceFailureCode;
  readonly detail: string;
  /** Of a rejected question, as the service names them. */
  readonly rejection: Rejection | undefined;

  constructor(code: ServiceFailureCode, detail: string, rejection?: Rejection) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
    this.rejection = rejection;
  }
}

export interface Rejection {
  readonly status: number;
  readonly code: string;
  /** Which part of the question, where the service says so. */
  readonly field: string;
}

/** Thrown by a reader of answers: this one is not what was asked for. The detail quotes nothing of it. */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer';
}

export interface Service {
  /**
   * Sends a request, with retries, until a readable response arrives.
   * @param question hands `signal` to the request
   * @param read throws UnreadableAnswer
   * @throws {ServiceFailure}
   */
  ask<Answer>(
    question: (client: OpenAI, options: { readonly signal: AbortSignal }) => Promise<unknown>,
    read: (answer: unknown) => Answer,
    signal?: AbortSignal,
  ): Promise<Answer>;
}

export function openService(options: ServiceOptions): Service {
  const { timeoutMs = TIMEOUT_MS, patienceMs = PATIENCE_MS, clock = wallClock } = options;
  const client = new OpenAI({
    baseURL: options.baseUrl,
    // The library requires a key; services without authentication ignore it.
    apiKey: options.apiKey ?? 'none',
    // Otherwise the library would read the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
  });
  /** Time until which the service has asked all requests to wait. */
  let quietUntil = 0;

  async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await clock.wait(ms, signal);
    } catch (error) {
      if (signal?.aborted) throw new ServiceFailure('aborted', 'while waiting');
      throw error;
    }
  }

  return {
    async ask(question, read, signal) {
      let waited = 0;
      let troubles = 0;
      let unreadable = 0;
      for (;;) {
        while (clock.now() < quietUntil) await wait(quietUntil - clock.now(), signal);
        if (signal?.aborted) throw new ServiceFailure('aborted', 'by the caller');
        // The library's own timeout ends with the headers; this one covers the body too.
        const late = AbortSignal.timeout(timeoutMs);
        try {
          const both = signal ? AbortSignal.any([signal, late]) : late;
          return read(await question(client, { signal: both }));
        } catch (error) {
          if (signal?.aborted) throw new ServiceFailure('aborted', 'by the caller');
          const trouble = late.aborted ? timedOut : judge(error, clock.now());
          switch (trouble.kind) {
            case 'final':
              throw trouble.failure;
            case 'unreadable':
              unreadable += 1;
              if (unreadable === UNREADABLE_TRIES)
                throw new ServiceFailure('unreadable', trouble.detail);
              break;
            case 'busy': {
              // Some say "in 0 s", and mean it as little the next time.
              const pause = Math.max(BACKOFF_MS, trouble.pauseMs ?? backoff(troubles));
              troubles += 1;
              waited += pause;
              if (waited > patienceMs) {
                throw new ServiceFailure('unavailable', `${trouble.detail}, asks to wait`);
              }
              quietUntil = Math.max(quietUntil, clock.now() + pause);
              break;
            }
            case 'passing':
              troubles += 1;
              if (troubles >= TRIES) throw new ServiceFailure('unavailable', trouble.detail);
              await wait(backoff(troubles - 1), signal);
          }
        }
      }
    },
  };
}

type Trouble =
  | { readonly kind: 'final'; readonly failure: ServiceFailure }
  | { readonly kind: 'unreadable'; readonly detail: string }
  /** The service is busy; `pauseMs` is the wait it requested, if any. */
  | { readonly kind: 'busy'; readonly detail: string; readonly pauseMs: number | undefined }
  | { readonly kind: 'passing'; readonly detail: string };

const timedOut: Trouble = { kind: 'passing', detail: 'no whole answer in time' };

/** Codes and types that signal an exhausted balance rather than rate limiting. */
const QUOTA = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active)$/;

function judge(error: unknown, now: number): Trouble {
  if (error instanceof UnreadableAnswer) return { kind: 'unreadable', detail: error.message };
  // The message of a SyntaxError quotes the text.
  if (error instanceof SyntaxError) return { kind: 'unreadable', detail: 'the answer is no JSON' };
  if (error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError) {
    return timedOut;
  }
  if (error instanceof APIConnectionError) {
    return { kind: 'passing', detail: `no connection ${systemCode(error)}`.trim() };
  }
  if (error instanceof APIError && error.status !== undefined) {
    return judgeStatus(error, error.status, now);
  }
  // fetch throws this when a body is cut off.
  if (error instanceof TypeError && error.message === 'terminated') {
    return { kind: 'passing', detail: `the answer was cut off ${systemCode(error)}`.trim() };
  }
  throw error;
}

function judgeStatus(error: APIError, status: number, now: number): Trouble {
  const code = name(error.code) || name(error.type);
  const detail = `${status} ${code}`.trim();
  const final = (kind: ServiceFailureCode) =>
    ({ kind: 'final', failure: new ServiceFailure(kind, detail) }) as const;
  if (status === 402 || QUOTA.test(name(error.code)) || QUOTA.test(name(error.type))) {
    return final('quota');
  }
  if (status === 401 || status === 403 || status === 404) return final('refused');
  const pauseMs = retryAfterMs(error.headers, now);
  if (status === 429) return { kind: 'busy', detail, pauseMs };
  if (status === 503 && pauseMs !== undefined) return { kind: 'busy', detail, pauseMs };
  if (status >= 500 || status === 408 || status === 409) return { kind: 'passing', detail };
  const rejection = { status, code, field: name(error.param) };
  return { kind: 'final', failure: new ServiceFailure('rejected', detail, rejection) };
}

/** A name that a service gave, if it is one: nothing else of its answer may reach a log. */
function name(value: string | null | undefined): string {
  return /^[\w.-]{1,60}$/.test(value ?? '') ? (value as string) : '';
}

/** Why the system says there was no connection (`ECONNREFUSED`), however deep it lies. */
function systemCode(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

/** The wait of `Retry-After`, given in seconds or as a date (RFC 9110, 10.2.3); undefined without one. */
export function retryAfterMs(headers: Headers | undefined, now: number): number | undefined {
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = value.endsWith('GMT') ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function backoff(troubles: number): number {
  return Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** troubles);
}
