import { setTimeout as delay } from 'node:timers/promises';

/** Interval between checks for progress, in milliseconds. */
const POLL_MS = 10;
/** How long there must be no progress before work counts as idle, in milliseconds. */
const IDLE_MS = 400;

/**
 * Counts the steps of all phones: disk writes and server responses. Histories place their faults between steps, which
 * makes them independent of the machine's speed.
 */
export class StepCounter {
  #count = 0;

  increment(): void {
    this.#count += 1;
  }

  /** Resolves after a number of further steps, or when the phones are idle. */
  async waitFor(steps: number): Promise<void> {
    const end = this.#count + steps;
    let [count, changedAt] = [this.#count, performance.now()];
    while (this.#count < end && performance.now() - changedAt < IDLE_MS) {
      await delay(POLL_MS);
      if (this.#count !== count) [count, changedAt] = [this.#count, performance.now()];
    }
  }
}
