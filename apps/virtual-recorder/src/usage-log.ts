/** The usage counters and operation log. Both survive a power loss. */
import { EventEmitter } from 'node:events';
import { REPORTS, type ResponseOf } from '@linnet/device/codec';
import type { EndReason } from './device-types.ts';
import type { Flash } from './flash/flash.ts';
import type { PacedClock } from './paced-clock.ts';

export type Usage = ResponseOf<'usageStatistics'>;
export type LogEntry = ResponseOf<'operationData'>['items'][number];

/** Maximum number of log entries. The oldest are dropped (PROTOCOL.md, `operationData`). */
const MAX_ENTRIES = 256;
const MS_PER_HOUR = 3_600_000;

export const ZERO_USAGE: Usage = {
  recordings: 0,
  recordedSeconds: 0,
  transferredKib: 0,
  poweredSeconds: 0,
  starts: 0,
  charges: 0,
};

/** Maximum values that fit on the wire. Counters saturate at these values. */
const MAX_COUNTS: Readonly<Record<keyof Usage, number>> = {
  recordings: 0xffffffff,
  recordedSeconds: 0xffffffff,
  transferredKib: 0xffffffff,
  poweredSeconds: 0xffffffff,
  starts: 0xffff,
  charges: 0xffff,
};

interface UsageLogEvents {
  /** Emitted when another hour of awake time has been counted. */
  hour: [Usage];
}

export class UsageLog extends EventEmitter<UsageLogEvents> {
  private readonly flash: Flash;
  private readonly clock: PacedClock;
  private readonly unixTime: () => number;
  private readonly counts: { -readonly [K in keyof Usage]: number };
  /** Recorder time up to which the awake time has been counted, in milliseconds. */
  private awakeSince: number;
  private cancelHour = () => {};

  /** @param unixTime the seconds since 1970-01-01 UTC */
  constructor(flash: Flash, clock: PacedClock, unixTime: () => number) {
    super();
    this.flash = flash;
    this.clock = clock;
    this.unixTime = unixTime;
    this.counts = { ...flash.state.usage };
    this.awakeSince = clock.elapsed();
    this.scheduleHour();
  }

  /** The counters, rounded down to whole numbers. */
  get usage(): Usage {
    const rounded = Object.entries(this.counts).map(([name, count]) => [name, Math.floor(count)]);
    return Object.fromEntries(rounded) as Usage;
  }

  /**
   * Increases a counter, possibly by a fraction. The change becomes durable with the next log entry or hourly count.
   */
  count(counter: keyof Usage, by = 1): void {
    this.counts[counter] = Math.min(MAX_COUNTS[counter], this.counts[counter] + by);
  }

  /** Adds a log entry. If it can't be stored, the error is logged and the operation continues. */
  log(operation: LogEntry['operation'], because: EndReason = 'none'): void {
    const { notes } = this.flash.state;
    const entry = (notes.at(-1)?.entry ?? 0) + 1;
    const detail = REPORTS.recordingEnded.layout.because.values[because];
    const entries = [...notes, { entry, time: this.unixTime(), operation, detail }];
    this.flash
      .saveState({ notes: entries.slice(-MAX_ENTRIES), usage: { ...this.counts } })
      .catch((error: unknown) => console.error('failed to store a log entry', error));
  }

  /** Returns the log entries after the given number, oldest first. */
  entriesAfter(entry: number): readonly LogEntry[] {
    return this.flash.state.notes.filter((each) => each.entry > entry);
  }

  /** Stops the hourly count and counts the time awake so far. */
  stop(): void {
    this.cancelHour();
    this.countTimeAwake();
  }

  private scheduleHour(): void {
    this.cancelHour = this.clock.after(MS_PER_HOUR, () => {
      this.countTimeAwake();
      this.flash
        .saveState({ usage: { ...this.counts } })
        .catch((error: unknown) => console.error('failed to store the usage counters', error));
      this.emit('hour', this.usage);
      this.scheduleHour();
    });
  }

  private countTimeAwake(): void {
    const now = this.clock.elapsed();
    this.count('poweredSeconds', (now - this.awakeSince) / 1000);
    this.awakeSince = now;
  }
}
