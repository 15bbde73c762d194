import type { CallName } from '@linnet/contract';
import { CallError } from './failure.ts';
import type { Limit } from './rate-limit.ts';

/** How much of one kind a subject may have under way in this process. */
export interface Lane {
  readonly name: string;
  /** Requests that run at once. */
  readonly atOnce: number;
  /** Requests that wait for their turn; one more is refused. */
  readonly waiting: number;
}

/**
 * Bounds the work of each subject (an account, or a network of callers without one) before it takes a database
 * connection: so many requests run, so many wait in order, and the others are refused. Each process counts for itself.
 */
export interface Gate {
  /** @throws CallError tooManyRequests */
  pass<Result>(lane: Lane, subject: string, work: () => Promise<Result>): Promise<Result>;
}

export function createGate(): Gate {
  /** Of each subject that has something under way. */
  const busy = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  return {
    async pass(lane, subject, work) {
      const key = `${lane.name}:${subject}`;
      const state = busy.get(key) ?? { running: 0, waiting: [] };
      busy.set(key, state);
      if (state.running < lane.atOnce) state.running += 1;
      else {
        if (state.waiting.length >= lane.waiting) throw new CallError('tooManyRequests', crowded);
        await new Promise<void>((resolve) => state.waiting.push(resolve));
      }
      try {
        return await work();
      } finally {
        // The place goes straight to the next one, if there is one.
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

const crowded = 'Too many requests at once; send them one after another.';

/** Calls that only read. Whatever is not listed here counts as writing. */
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
/** Calls that store, read or convert whole files, and mostly wait for bytes. */
const transfers: ReadonlySet<CallName> = new Set<CallName>([
  'upload/radioFile',
  'upload/ossFile',
  'convert',
]);

const reading: Lane = { name: 'read', atOnce: 4, waiting: 64 };
/** Writing locks the account: a third one would only hold a connection while it waits for the second. */
const writing: Lane = { name: 'write', atOnce: 2, waiting: 64 };
/** Each call has its own: a slow upload must not keep another from being registered. */
const transferring = { atOnce: 2, waiting: 64 };

/** Looking a token up, which every call begins with: quick, but it takes a connection too. */
export const identifying: Lane = { name: 'identify', atOnce: 4, waiting: 200 };

/** The lane of a call that carries a token. */
export function laneOf(name: CallName): Lane {
  if (reads.has(name)) return reading;
  return transfers.has(name) ? { name, ...transferring } : writing;
}

/** Calls that hash a password, which takes tens of milliseconds of a core. */
const hashing: ReadonlySet<CallName> = new Set<CallName>([
  'user/login',
  'user/register',
  'user/forgotPassword',
]);

/** The lane of a call without a token, for each network of callers: many people may share one. */
export function openLane(name: CallName): Lane {
  return { name, atOnce: hashing.has(name) ? 1 : 2, waiting: 64 };
}

/** How often one account may make calls that cost more than they look like. All of them carry an access token. */
export const accountLimits: Readonly<Partial<Record<CallName, Limit>>> = {
  // Free of minutes, while a language model may cost the operator money.
  'task/summarize': { name: 'summarize', count: 60, seconds: 3600 },
  'device/check': { name: 'device-check', count: 60, seconds: 3600 },
  // It tells which serial numbers exist, and takes free ones.
  'device/binding': { name: 'device-binding', count: 60, seconds: 3600 },
  'oss/config': { name: 'upload-grant', count: 2000, seconds: 3600 },
};
