import type { CallName } from '@linnet/contract';
import { CallError } from './failure.ts';
import type { Limit } from './rate-limit.ts';

/** Concurrency limits of a subject for one kind of request in this process. */
export interface Lane {
  readonly name: string;
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Maximum number of queued requests; further ones are rejected. */
  readonly waiting: number;
}

/**
 * Limits concurrent requests per subject (an account, or a network for calls without one) before they take a database
 * connection: a number of them run, others queue in order, and the rest are rejected. Counted per process.
 */
export interface Gate {
  /** @throws CallError tooManyRequests */
  pass<Result>(lane: Lane, subject: string, work: () => Promise<Result>): Promise<Result>;
}

export function createGate(): Gate {
  /** State of each subject with requests in progress. */
  const busy = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  return {
    async pass(lane, subject, work) {
      const key = `${lane.name}:${subject}`;
      const state = busy.get(key) ?? { running: 0, waiting: [] };
      busy.set(key, state);
      if (state.running < lane.concurrency) state.running += 1;
      else {
        if (state.waiting.length >= lane.waiting)
          throw new CallError('tooManyRequests', tooManyConcurrent);
        await new Promise<void>((resolve) => state.waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        // Hands the slot directly to the next in the queue, if any.
        const next = state.waiting.shift();
        if (next) next();
        else {
          state.running -= 1;
          if (state.running === 0) busy.delete(key);
        }
      }
    },
  };
}

const tooManyConcurrent = 'Too many concurrent requests. Send fewer at a time.';

/** Read-only calls. All others count as writes. */
const reads: ReadonlySet<CallName> = new Set<CallName>([
  'user/info',
  'user/config',
  'user/leftMinute',
  'user/order',
  'user/orderRecord',
  'radio/translateHistory',
  'task/detail',
  'task/index',
  'task/search',
  'task/paragraph-history',
  'sync/changes',
  'device/index',
  'upload/checkOssFile',
]);
/** Calls that store, read or convert whole files and mostly wait for I/O. */
const transfers: ReadonlySet<CallName> = new Set<CallName>([
  'upload/radioFile',
  'upload/ossFile',
  'convert',
]);

const reading: Lane = { name: 'read', concurrency: 4, waiting: 64 };
/** Writes lock the account, so a third one would only hold a connection while waiting. */
const writing: Lane = { name: 'write', concurrency: 2, waiting: 64 };
/** Applied separately per call: a slow upload must not prevent another from being registered. */
const transferring = { concurrency: 2, waiting: 64 };

/** Token lookup at the start of every call, which is quick but needs a connection. */
export const identifyLane: Lane = { name: 'identify', concurrency: 4, waiting: 200 };

/** The lane of an authenticated call. */
export function accountLane(name: CallName): Lane {
  if (reads.has(name)) return reading;
  return transfers.has(name) ? { name, ...transferring } : writing;
}

/** Calls that hash a password, which takes tens of milliseconds of a core. */
const hashing: ReadonlySet<CallName> = new Set<CallName>([
  'user/login',
  'user/register',
  'user/forgotPassword',
]);

/** The lane of an unauthenticated call, counted per network, which many users may share. */
export function networkLane(name: CallName): Lane {
  return { name, concurrency: hashing.has(name) ? 1 : 2, waiting: 64 };
}

/** Rate limits per account for expensive calls. All of them require an access token. */
export const accountLimits: Readonly<Partial<Record<CallName, Limit>>> = {
  // Costs no minutes, but a language model may cost the operator money.
  'task/summarize': { name: 'summarize', count: 60, seconds: 3600 },
  'device/check': { name: 'device-check', count: 60, seconds: 3600 },
  // Reveals which serial numbers exist, and claims free ones.
  'device/binding': { name: 'device-binding', count: 60, seconds: 3600 },
  'oss/config': { name: 'upload-grant', count: 2000, seconds: 3600 },
};
