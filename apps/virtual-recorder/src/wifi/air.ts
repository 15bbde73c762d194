/** Fixed model of WiFi throughput, like `radio/model.ts` for Bluetooth. */
import type { PacedClock } from '../paced-clock.ts';

/**
 * Total throughput in bytes per second, shared by all clients: TCP over 2.4 GHz, 20 MHz wide, one antenna,
 * from a microcontroller gives about 20 Mbit/s.
 */
export const WIFI_BYTES_PER_SECOND = 2_500_000;

/** Paces transmissions one after another at the modelled throughput. */
export class Air {
  private readonly clock: PacedClock;
  /** Recorder time at which the queue is empty, ms. */
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

  /** Recorder time until the queue is empty, ms. */
  get busyMs(): number {
    return Math.max(0, this.freeAt - this.clock.elapsed());
  }

  /** Calls back once the queue is empty. @returns a function that cancels it */
  afterQueue(callback: () => void): () => void {
    return this.clock.after(this.busyMs, callback);
  }
}
