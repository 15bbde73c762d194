/**
 * Messages between two processes that share a simulated clock. The recorder's process owns the clock. It sends the
 * current time and the radio's notifications to the phone's process, and advances the clock only when both processes are
 * idle. Results therefore depend on the simulated radio, and not on the load of this machine.
 */

/** A message from the recorder's process. */
export type Tick = {
  readonly type: 'time';
  /** The current time, ms. */
  readonly at: number;
  /** Notifications, in order. */
  readonly notifications: readonly Uint8Array[];
};

/** The response of the phone's process, sent when it is idle. */
export type TickResult = {
  /** Writes, in order. */
  readonly written: readonly Uint8Array[];
  /** Time of its next timer, ms; infinite if it only waits for the recorder. */
  readonly next: number;
  /** Its measurements, once the session is verified. */
  readonly measurements: PhoneMeasurements | null;
};

export type PhoneMeasurements = {
  /** Time at which the session was open, and bound if under version 2, ms. */
  readonly startedAt: number;
  /** CPU time from the connection to the last byte. */
  readonly readingSeconds: number;
  /** CPU time from the last byte to the verified files. */
  readonly finishingSeconds: number;
  readonly memory: readonly MemorySample[];
};

/** Memory of the phone's process at a percentage of the session, in MB. `held` is measured after a garbage collection. */
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
      // Lets all resolved promises run their continuations.
      await new Promise(setImmediate);
      if (this.#count === 0) return;
      await this.#idle.promise;
    }
  }
}
