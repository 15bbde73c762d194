/** Polls the battery and reports changes. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import { Battery } from './battery.ts';
import type { Faults } from './faults.ts';
import type { PacedClock } from './paced-clock.ts';

/** Polling interval, in milliseconds of real time. */
const POLL_MS = 5000;

type Reading = ReportOf<'batteryChanged'>;

interface BatteryGaugeEvents {
  /** Emitted when charging starts. */
  charges: [];
  changed: [Reading];
}

export class BatteryGauge extends EventEmitter<BatteryGaugeEvents> {
  private readonly battery: Battery;
  private readonly clock: PacedClock;
  private readonly faults: Faults;
  private readonly isRecording: () => boolean;
  private reported: Reading;
  private readonly polling: NodeJS.Timeout;

  /** @param percent initial level in percent; may be fractional */
  constructor(percent: number, clock: PacedClock, faults: Faults, isRecording: () => boolean) {
    super();
    this.battery = new Battery(percent, clock.elapsed());
    this.clock = clock;
    this.faults = faults;
    this.isRecording = isRecording;
    this.reported = { charging: faults.charging, level: this.battery.level };
    this.polling = setInterval(() => this.poll(), POLL_MS);
    this.polling.unref();
  }

  /** The displayed level, in whole percent. */
  get level(): number {
    return this.battery.level;
  }

  /** The unrounded level in percent. */
  get exact(): number {
    return this.battery.exact;
  }

  /**
   * Sets the battery level.
   * @param percent 0 to 100
   */
  set(percent: number): void {
    this.battery.set(percent, this.clock.elapsed());
    this.poll();
  }

  poll(): void {
    const { charging } = this.faults;
    this.battery.update(this.clock.elapsed(), this.isRecording() ? 'recording' : 'idle', charging);
    const { level } = this.battery;
    if (charging && !this.reported.charging) this.emit('charges');
    if (level === this.reported.level && charging === this.reported.charging) return;
    this.reported = { charging, level };
    this.emit('changed', this.reported);
  }

  /** Stops polling. {@link poll} still works. */
  stop(): void {
    clearInterval(this.polling);
  }
}
