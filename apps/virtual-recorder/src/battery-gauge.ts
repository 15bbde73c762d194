/** Polls the battery and reports changes. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import { Battery } from './battery.ts';
import type { Faults } from './faults.ts';
import type { PacedClock } from './paced-clock.ts';

/** Polling interval in real time, ms. */
const LOOK_MS = 5000;

type Reading = ReportOf<'batteryChanged'>;

interface BatteryGaugeEvents {
  /** Charging has started. */
  charges: [];
  changed: [Reading];
}

export class BatteryGauge extends EventEmitter<BatteryGaugeEvents> {
  private readonly battery: Battery;
  private readonly clock: PacedClock;
  private readonly faults: Faults;
  private readonly isRecording: () => boolean;
  private told: Reading;
  private readonly looking: NodeJS.Timeout;

  /** @param percent initial level, with fractions */
  constructor(percent: number, clock: PacedClock, faults: Faults, isRecording: () => boolean) {
    super();
    this.battery = new Battery(percent, clock.elapsed());
    this.clock = clock;
    this.faults = faults;
    this.isRecording = isRecording;
    this.told = { charging: faults.charging, level: this.battery.level };
    this.looking = setInterval(() => this.look(), LOOK_MS);
    this.looking.unref();
  }

  /** Displayed level, whole percent. */
  get level(): number {
    return this.battery.level;
  }

  /** Level in percent, with fractions. */
  get exact(): number {
    return this.battery.exact;
  }

  /** Sets the battery level. @param percent 0 to 100 */
  set(percent: number): void {
    this.battery.set(percent, this.clock.elapsed());
    this.look();
  }

  look(): void {
    const { charging } = this.faults;
    this.battery.pass(this.clock.elapsed(), this.isRecording() ? 'recording' : 'idle', charging);
    const { level } = this.battery;
    if (charging && !this.told.charging) this.emit('charges');
    if (level === this.told.level && charging === this.told.charging) return;
    this.told = { charging, level };
    this.emit('changed', this.told);
  }

  /** Stops polling; {@link look} still works. */
  stop(): void {
    clearInterval(this.looking);
  }
}
