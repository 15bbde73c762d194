/** The fixed model of Wi-Fi throughput, like `radio/model.ts` for Bluetooth. */
import type { PacedClock } from '../paced-clock.ts';

/**
 * Total throughput in bytes per second, shared by all clients. TCP from a microcontroller with one antenna reaches
 * about 20 Mbit/s over a 20 MHz channel at 2.4 GHz.
 */
export const WIFI_BYTES_PER_SECOND = 2_500_000;

/** Paces transmissions one after another at the modeled throughput. */
export class Air {
  private readonly clock: PacedClock;
  /** Recorder time at which the queue will be empty, in milliseconds. */
  private freeAt = 0;

  constructor(clock: PacedClock) {
    this.clock = clock;
  }

  /** Resolves when `bytes` have been transmitted. */
  transmit(bytes: number): Promise<void> {
    this.queue(bytes);
    return new Promise((resolve) => this.clock.after(this.busyMs, resolve));
  }

  /** Queues `bytes` for transmission. */
  queue(bytes: number): void {
    this.freeAt =
      Math.max(this.clock.elapsed(), this.freeAt) + (bytes * 1000) / WIFI_BYTES_PER_SECOND;
  }

  /** The recorder time until the queue is empty, in milliseconds. */
  get busyMs(): number {
    return Math.max(0, this.freeAt - this.clock.elapsed());
  }

  /**
   * Calls back once the queue is empty.
   * @returns a function that cancels the callback
   */
  afterQueue(callback: () => void): () => void {
    return this.clock.after(this.busyMs, callback);
  }
}
