/** The fixed model of the recorder's WiFi, as `radio/model.ts` is of its Bluetooth. */
import type { PacedClock } from '../paced-clock.ts';

/**
 * Bytes a second that the air carries, for all who ask together: TCP over 2.4 GHz, 20 MHz wide, one antenna,
 * from a microcontroller gives about 20 Mbit/s.
 */
export const WIFI_BYTES_PER_SECOND = 2_500_000;

/** What leaves takes its time, one after the other. */
export class Air {
  private readonly clock: PacedClock;
  /** The recorder's time when the air is free again, ms. */
  private freeAt = 0;

  constructor(clock: PacedClock) {
    this.clock = clock;
  }

  /** Resolves when so many bytes have gone over. */
  carry(bytes: number): Promise<void> {
    this.take(bytes);
    return new Promise((resolve) => this.clock.after(this.busyMs, resolve));
  }

  /** Takes so many bytes, to go over after those before them. */
  take(bytes: number): void {
    this.freeAt =
      Math.max(this.clock.elapsed(), this.freeAt) + (bytes * 1000) / WIFI_BYTES_PER_SECOND;
  }

  /** The recorder's milliseconds until all that was taken has gone over. */
  get busyMs(): number {
    return Math.max(0, this.freeAt - this.clock.elapsed());
  }

  /** Calls back once that has gone over. @returns a canceller */
  afterwards(callback: () => void): () => void {
    return this.clock.after(this.busyMs, callback);
  }
}
