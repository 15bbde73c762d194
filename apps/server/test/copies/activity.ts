import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@linnet/sync';

/** Counts the engines' pending work, so that a test can wait until all of them are idle. */
export class Activity {
  #running = 0;

  /** Counts an operation as pending while it runs. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
    }
  }

  /** Wraps an object so that promises returned by its methods are counted. */
  watch<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          const result = Reflect.apply(member, target, given);
          return result instanceof Promise ? this.during(() => result) : result;
        };
      },
    });
  }

  /** Resolves when no work is pending, including work started by completed work. */
  async waitUntilIdle(): Promise<void> {
    for (let idleRounds = 0; idleRounds < 3; idleRounds++) {
      await setImmediate();
      if (this.#running > 0) idleRounds = -1;
    }
  }
}

type Sleeper = { readonly wakeAt: number; readonly wake: () => void };

/** A clock on which sleeps end only when the test advances the time. */
export class ManualClock implements Clock {
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly #sleepers = new Set<Sleeper>();

  /** @param now milliseconds since 1970 */
  constructor(now: () => number) {
    this.now = now;
    this.elapsed = now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const end = (resolvePromise: () => void) => () => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener('abort', abort);
        resolvePromise();
      };
      const sleeper: Sleeper = { wakeAt: this.now() + ms, wake: end(resolve) };
      const abort = end(() => reject(signal.reason));
      signal.addEventListener('abort', abort);
      this.#sleepers.add(sleeper);
    });
  }

  /** Wakes the sleeps that have elapsed. */
  notifyProgress(): void {
    const now = this.now();
    for (const { wakeAt, wake } of [...this.#sleepers]) if (wakeAt <= now) wake();
  }
}
