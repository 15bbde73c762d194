/** Emulates the battery. It drains in recorder time, and faster while recording. */

/** Battery life and charging time, in hours. */
const RECORDING_HOURS = 30;
const IDLE_HOURS = 400;
const CHARGING_HOURS = 1.5;

const MS_PER_HOUR = 3_600_000;

export class Battery {
  private percent: number;
  private updatedAt: number;

  constructor(percent: number, now: number) {
    this.percent = percent;
    this.updatedAt = now;
  }

  /**
   * Drains or charges the battery for the time since the last update.
   * @param now the recorder time in milliseconds
   */
  update(now: number, activity: 'idle' | 'recording', charging: boolean): void {
    const hours = (now - this.updatedAt) / MS_PER_HOUR;
    const drain = activity === 'recording' ? 100 / RECORDING_HOURS : 100 / IDLE_HOURS;
    const perHour = charging ? 100 / CHARGING_HOURS : -drain;
    this.percent = Math.max(0, Math.min(100, this.percent + perHour * hours));
    this.updatedAt = now;
  }

  /**
   * Sets the level.
   * @param now the recorder time in milliseconds
   */
  set(percent: number, now: number): void {
    this.percent = percent;
    this.updatedAt = now;
  }

  /** The unrounded level in percent. */
  get exact(): number {
    return this.percent;
  }

  /** The displayed level, in whole percent. */
  get level(): number {
    return Math.ceil(this.percent);
  }
}
