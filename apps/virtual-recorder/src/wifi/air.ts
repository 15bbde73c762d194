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
    const now = this.clock.elapsed();
    this.freeAt = Math.max(now, this.freeAt) + (bytes * 1000) / WIFI_BYTES_PER_SECOND;
    return new Promise((resolve) => this.clock.after(this.freeAt - now, resolve));
  }
}
