/**
 * Messages between two processes that share a simulated clock. The recorder's process owns the clock. It sends the
 * current time and the radio's notifications to the phone's process, and advances the clock only when both processes
 * are idle. The results therefore depend on the simulated radio rather than on the machine's load.
 */

/** A message from the recorder's process. */
export type Tick = {
  readonly type: 'time';
  /** The current time, ms. */
  readonly at: number;
  /** The radio's notifications, in order. */
  readonly notifications: readonly Uint8Array[];
};

/** The response of the phone's process, sent when it is idle. */
export type TickResult = {
  /** The phone's writes, in order. */
  readonly written: readonly Uint8Array[];
  /** When the phone's next timer fires, in ms, or infinity if the phone only waits for the recorder. */
  readonly next: number;
  /** The phone's measurements once the session is verified, and null before. */
  readonly measurements: PhoneMeasurements | null;
};

export type PhoneMeasurements = {
  /** When the session was open and (with version 2) bound, in ms. */
  readonly startedAt: number;
  /** CPU time from the connection to the last byte. */
  readonly readingSeconds: number;
  /** CPU time from the last byte to the verified files. */
  readonly finishingSeconds: number;
  readonly memory: readonly MemorySample[];
};

/**
 * Memory of the phone's process, in MB, at a percentage of the session. `held` is measured after garbage collection.
 */
export type MemorySample = {
  readonly percent: number;
  readonly held: number;
  readonly resident: number;
};

/** Tracks asynchronous work that the simulated clock doesn't control, mostly file operations. */
export class PendingWork {
  #count = 0;
  #idle = Promise.withResolvers<void>();

  async watch<T>(work: Promise<T>): Promise<T> {
    this.#count += 1;
    try {
      return await work;
    } finally {
      this.#count -= 1;
      if (this.#count === 0) {
        this.#idle.resolve();
        this.#idle = Promise.withResolvers();
      }
    }
  }

  /** Resolves when no work is pending and all its continuations have run. */
  async settled(): Promise<void> {
    for (;;) {
      // Run the continuations of all resolved promises.
      await new Promise(setImmediate);
      if (this.#count === 0) return;
      await this.#idle.promise;
    }
  }
}
