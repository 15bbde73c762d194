import { Emitter, type Unsubscribe } from '@linnet/base';
import type { CallFailure } from '@linnet/contract/client';
import type { Clock } from './clock.ts';
import { Flag } from './flag.ts';
import type { Log } from './log.ts';
import type { CloudResult } from './ports/cloud.ts';
import { StorageFull } from './ports/records.ts';

/** Whether the server can be reached, and the failure if it can't. */
export type CloudReachability =
  | { readonly status: 'unknown' }
  | { readonly status: 'reached' }
  /** `retryAt`: milliseconds since 1970. */
  | { readonly status: 'waiting'; readonly failure: CallFailure; readonly retryAt: number };

/** Delays between retries while the server doesn't respond, in seconds. The last delay repeats. */
export const BACKOFF_SECONDS = [1, 2, 5, 10, 30, 60] as const;

/** Thrown after a failed call, to end the current pass: one run of the work that is retried. */
export class Interrupted extends Error {
  readonly failure: CallFailure;
  constructor(failure: CallFailure) {
    super('interrupted');
    this.failure = failure;
  }
}

/** Returns the data of a successful call. @throws Interrupted if the call failed */
export function unwrap<T>(result: CloudResult<T>): T {
  if (result.ok) return result.data;
  throw new Interrupted(result.failure);
}

export type RetrierOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** The name of the event to log before each retry delay. */
  readonly event: string;
};

/**
 * Retries operations that call the server, with increasing delays while the server doesn't respond or the phone has no
 * disk space. Also tracks whether the server can be reached.
 */
export class Retrier {
  readonly #options: RetrierOptions;
  readonly #work = new Flag();
  readonly #reachabilityChanged = new Emitter();
  #reachability: CloudReachability = { status: 'unknown' };
  #failures = 0;

  constructor(options: RetrierOptions) {
    this.#options = options;
  }

  get reachability(): CloudReachability {
    return this.#reachability;
  }

  /** Calls the listener when {@link reachability} changes. */
  subscribe(listener: () => void): Unsubscribe {
    return this.#reachabilityChanged.subscribe(listener);
  }

  /** Ends the current or next pause, and resets the retry delay. */
  wake(): void {
    this.#failures = 0;
    this.#work.raise();
  }

  /** Ends the current or next pause because there is more work, without resetting the retry delay. */
  requestPass(): void {
    this.#work.raise();
  }

  /** Runs `work`, and retries it while the server doesn't respond or the phone has no disk space. */
  async retry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const result = await work();
        this.#failures = 0;
        this.#setReachability({ status: 'reached' });
        return result;
      } catch (error) {
        if (!(error instanceof Interrupted || error instanceof StorageFull)) throw error;
        const step = Math.min(this.#failures++, BACKOFF_SECONDS.length - 1);
        const ms = (BACKOFF_SECONDS[step] as number) * 1000;
        const failure = error instanceof Interrupted ? error.failure : null;
        this.#options.log(this.#options.event, { ms, kind: failure?.kind ?? 'storage_full' });
        if (failure) {
          const retryAt = this.#options.clock.now() + ms;
          this.#setReachability({ status: 'waiting', failure, retryAt });
        }
        await this.pause(ms, signal);
      }
    }
  }

  /**
   * Waits until {@link wake} or {@link requestPass} is called, `otherFlag` is raised, or `ms` have elapsed. If `ms` is
   * null, there's no time limit.
   */
  async pause(ms: number | null, signal: AbortSignal, otherFlag?: Flag): Promise<void> {
    const raceEnded = new AbortController();
    const waitSignal = AbortSignal.any([signal, raceEnded.signal]);
    const waits = [this.#work.wait(waitSignal)];
    if (otherFlag) waits.push(otherFlag.wait(waitSignal));
    if (ms !== null) waits.push(this.#options.clock.sleep(ms, waitSignal));
    try {
      await Promise.race(waits);
    } finally {
      raceEnded.abort();
      // The losing waits reject because of the abort above.
      await Promise.allSettled(waits);
    }
  }

  #setReachability(reachability: CloudReachability): void {
    if (reachability.status !== 'waiting' && reachability.status === this.#reachability.status)
      return;
    this.#reachability = reachability;
    this.#reachabilityChanged.emit();
  }
}
