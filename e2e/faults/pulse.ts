import { setTimeout as delay } from 'node:timers/promises';

/** Interval between checks for progress, in milliseconds. */
const POLL_MS = 10;
/** Time without progress after which work counts as idle, in milliseconds. */
const IDLE_MS = 400;

/**
 * Counts the steps of all phones: writes to disk, and answers of the server. A history places its faults between steps,
 * so that they don't depend on the speed of the machine.
 */
export class Pulse {
  #count = 0;

  beat(): void {
    this.#count += 1;
  }

  /** Resolves after a number of further steps, or once there are none. */
  async after(steps: number): Promise<void> {
    const end = this.#count + steps;
    let [count, changedAt] = [this.#count, performance.now()];
    while (this.#count < end && performance.now() - changedAt < IDLE_MS) {
      await delay(POLL_MS);
      if (this.#count !== count) [count, changedAt] = [this.#count, performance.now()];
    }
  }
}
