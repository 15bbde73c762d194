import type { CallName } from '@linnet/contract';
import { type AccountCall, callScopes } from '@linnet/contract/key-scopes';
import { CallError } from './failure.ts';
import type { Limit } from './rate-limit.ts';

/** A class of requests with a concurrency limit per subject and process. */
export interface Lane {
  readonly name: string;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Maximum queued requests. Further requests are rejected. */
  readonly waiting: number;
}

/**
 * Limits concurrent requests per subject (an account, or a network for calls without a token) before they use a
 * database connection. Up to `concurrency` requests run, others queue in order, and the rest are rejected. Each process
 * counts its own requests.
 */
export interface Gate {
  /** @throws CallError tooManyRequests */
  run<Result>(lane: Lane, subject: string, operation: () => Promise<Result>): Promise<Result>;
}

export function createGate(): Gate {
  /** The state of each subject with requests in progress. */
  const states = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  return {
    async run(lane, subject, operation) {
      const key = `${lane.name}:${subject}`;
      const state = states.get(key) ?? { running: 0, waiting: [] };
      states.set(key, state);
      if (state.running < lane.concurrency) state.running += 1;
      else {
        if (state.waiting.length >= lane.waiting)
          throw new CallError('tooManyRequests', tooManyConcurrent);
        await new Promise<void>((resolve) => state.waiting.push(resolve));
      }
      try {
        return await operation();
      } finally {
        // Hand the slot directly to the next request in the queue, if any.
        const next = state.waiting.shift();
        if (next) next();
        else {
          state.running -= 1;
          if (state.running === 0) states.delete(key);
        }
      }
    },
  };
}

const tooManyConcurrent = 'Too many concurrent requests. Send fewer at a time.';

/**
 * Read-only calls that accept no API key. Calls with the scope `read` are also read-only. All other calls count as
 * writes.
 */
const sessionReads: ReadonlySet<AccountCall> = new Set<AccountCall>([
  'user/sessions',
  'user/keys',
  'calendar/get',
  'share/index',
  'vault/index',
  'webhook/index',
  'webhook/deliveries',
  'push/get',
  'mail/get',
  'user/order',
  'user/orderRecord',
  'voice/export',
]);
/** Calls that store, read or convert entire files. They mostly wait for I/O. */
const transferCalls: ReadonlySet<CallName> = new Set<CallName>([
  'upload/radioFile',
  'upload/ossFile',
  'convert',
]);

/**
 * The lane for calls that wait for an event (long polling), usually one per device. They hold no database connection
 * while waiting.
 */
const watchLane: Lane = { name: 'watch', concurrency: 16, waiting: 0 };

/** The lane for questions, which may wait for a language model. Their searches run in a separate lane. */
const askLane: Lane = { name: 'ask', concurrency: 8, waiting: 0 };

const readLane: Lane = { name: 'read', concurrency: 4, waiting: 64 };
/**
 * The lane for writes. Writes lock the account, so a third concurrent write would only hold a connection while waiting.
 */
const writeLane: Lane = { name: 'write', concurrency: 2, waiting: 64 };
/**
 * Limits for file transfers. They apply to each call separately. Otherwise, a slow upload could delay the registration
 * of another file.
 */
const transferLimits = { concurrency: 2, waiting: 64 };

/** The lane for token lookups, which every call starts with. They are quick but need a connection. */
export const identifyLane: Lane = { name: 'identify', concurrency: 4, waiting: 200 };

/** Returns an authenticated call's lane. */
export function accountLane(name: AccountCall): Lane {
  if (name === 'live/watch') return watchLane;
  if (name === 'ask/question' || name === 'ask/live') return askLane;
  if (callScopes[name] === 'read' || sessionReads.has(name)) return readLane;
  return transferCalls.has(name) ? { name, ...transferLimits } : writeLane;
}

/** Calls that hash a password, which takes tens of milliseconds of CPU time. */
const hashingCalls: ReadonlySet<CallName> = new Set<CallName>([
  'user/login',
  'user/register',
  'user/forgotPassword',
]);

/** Returns the lane for an unauthenticated call. Its limits apply per network, which many users may share. */
export function networkLane(name: CallName): Lane {
  return { name, concurrency: hashingCalls.has(name) ? 1 : 2, waiting: 64 };
}

/** The lane for requests of the Model Context Protocol. */
export const mcpLane: Lane = { name: 'mcp', concurrency: 2, waiting: 64 };

/** The rate limit of an account's API keys, for all calls together. */
export const keyLimit: Limit = { name: 'key', count: 1200, seconds: 60 };

/**
 * The rate limit for all questions, about stored recordings and recordings in progress. A language model may cost the
 * operator money.
 */
const askLimit: Limit = { name: 'ask', count: 300, seconds: 3600 };

/** Per-account rate limits for expensive calls. All of these calls require an access token or an API key. */
export const accountLimits: Readonly<Partial<Record<CallName, Limit>>> = {
  // A summary costs the account no minutes, but a language model may cost the operator money.
  'task/summarize': { name: 'summarize', count: 60, seconds: 3600 },
  'ask/question': askLimit,
  'ask/live': askLimit,
  'task/merge': { name: 'merge', count: 60, seconds: 3600 },
  // Hashes the password.
  'share/create': { name: 'share-create', count: 120, seconds: 3600 },
  'device/check': { name: 'device-check', count: 60, seconds: 3600 },
  // This call reveals which serial numbers exist, and claims unbound recorders.
  'device/binding': { name: 'device-binding', count: 60, seconds: 3600 },
  // These calls send requests to other servers or resolve their host names.
  'webhook/create': { name: 'webhook-create', count: 60, seconds: 3600 },
  'vault/connect': { name: 'vault-connect', count: 60, seconds: 3600 },
  'vault/test': { name: 'vault-test', count: 120, seconds: 3600 },
  'vault/template': { name: 'vault-template', count: 60, seconds: 3600 },
  'webhook/test': { name: 'webhook-test', count: 120, seconds: 3600 },
  'webhook/resend': { name: 'webhook-resend', count: 600, seconds: 3600 },
  'push/subscribe': { name: 'push-subscribe', count: 120, seconds: 3600 },
  'push/test': { name: 'push-test', count: 60, seconds: 3600 },
  'oss/config': { name: 'upload-grant', count: 2000, seconds: 3600 },
};
