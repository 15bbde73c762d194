/**
 * Two processes, one time. The recorder's process owns it: it tells the phone's process what time it is
 * and what its radio carried by then, and does not go on before that has nothing left to do. So the
 * radio's speed is what counts, and never how busy this machine is.
 */

/** From the recorder's process. */
export type Told = {
  readonly type: 'time';
  /** The time now, ms. */
  readonly at: number;
  /** Notifications, in order. */
  readonly carried: readonly Uint8Array[];
};

/** What the phone's process answers when it has done all that it can at that time. */
export type Answer = {
  /** Writes, in order. */
  readonly written: readonly Uint8Array[];
  /** When it wants to go on by itself, ms; infinite when it only waits for the recorder. */
  readonly next: number;
  /** What it measured, once the session is verified. */
  readonly done: PhoneFigures | null;
};

export type PhoneFigures = {
  /** When the session was open, and bound under version 2, ms. */
  readonly begunAt: number;
  /** CPU from the connection to the last byte, and from there to the verified files. */
  readonly readingSeconds: number;
  readonly makingSeconds: number;
  readonly memory: readonly MemorySample[];
};

/** Memory of the phone's process when so much of the session was on it. MB; `held` is what no collection frees. */
export type MemorySample = {
  readonly percent: number;
  readonly held: number;
  readonly resident: number;
};

/** What a process has under way that is no matter of time: files, mostly. */
export class Underway {
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

  /** Resolves when nothing is under way, and what followed from it has been done. */
  async quiet(): Promise<void> {
    for (;;) {
      // Whatever is promised and needs nobody else has come by then.
      await new Promise(setImmediate);
      if (this.#count === 0) return;
      await this.#idle.promise;
    }
  }
}
