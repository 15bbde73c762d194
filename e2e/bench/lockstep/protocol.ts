/**
 * Messages between two processes that share a simulated clock. The recorder's process owns the clock. It sends the
 * current time and the radio's notifications to the phone's process, and advances the clock only when both processes
 * are idle. Results therefore depend on the simulated radio, and not on the load of this machine.
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
  /** The time of the phone's next timer in ms, or infinity if the phone only waits for the recorder. */
  readonly next: number;
  /** The phone's measurements once the session is verified; null before. */
  readonly measurements: PhoneMeasurements | null;
};

export type PhoneMeasurements = {
  /** The time in ms at which the session was open and, under version 2, bound. */
  readonly startedAt: number;
  /** The CPU time from the connection to the last byte. */
  readonly readingSeconds: number;
  /** The CPU time from the last byte to the verified files. */
  readonly finishingSeconds: number;
  readonly memory: readonly MemorySample[];
};

/**
 * The memory of the phone's process in MB at a percentage of the session. `held` is measured after a garbage
 * collection.
 */
export type MemorySample = {
  readonly percent: number;
  readonly held: number;
  readonly resident: number;
};

/** Tracks asynchronous work that does not depend on the simulated clock, mostly file operations. */
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

  /** Resolves when no work is pending and its continuations have run. */
  async settled(): Promise<void> {
    for (;;) {
      // Let all resolved promises run their continuations.
      await new Promise(setImmediate);
      if (this.#count === 0) return;
      await this.#idle.promise;
    }
  }
}
