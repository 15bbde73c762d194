/** What the recorder counts, and its notes of what was done with it; both outlive a loss of power. */
import { EventEmitter } from 'node:events';
import { REPORTS, type ResponseOf } from '@linnet/device/codec';
import type { EndReason } from './device-types.ts';
import type { Flash } from './flash/flash.ts';
import type { PacedClock } from './paced-clock.ts';

export type Usage = ResponseOf<'usageStatistics'>;
export type Note = ResponseOf<'operationData'>['items'][number];

/** Notes that are kept; older ones make room (PROTOCOL.md, `operationData`). */
const MAX_NOTES = 256;
const MS_PER_HOUR = 3_600_000;

export const nothingUsed: Usage = {
  recordings: 0,
  recordedSeconds: 0,
  transferredKib: 0,
  poweredSeconds: 0,
  starts: 0,
  charges: 0,
};

/** Numbers on the wire end here, and counters stay there. */
const MOST: Readonly<Record<keyof Usage, number>> = {
  recordings: 0xffffffff,
  recordedSeconds: 0xffffffff,
  transferredKib: 0xffffffff,
  poweredSeconds: 0xffffffff,
  starts: 0xffff,
  charges: 0xffff,
};

interface LedgerEvents {
  /** An hour more has been counted. */
  hour: [Usage];
}

export class Ledger extends EventEmitter<LedgerEvents> {
  private readonly flash: Flash;
  private readonly clock: PacedClock;
  private readonly unixTime: () => number;
  private readonly counted: { -readonly [K in keyof Usage]: number };
  /** The recorder's time up to which its time awake is counted, ms. */
  private awakeSince: number;
  private cancelHour = () => {};

  /** @param unixTime seconds since 1970-01-01 UTC */
  constructor(flash: Flash, clock: PacedClock, unixTime: () => number) {
    super();
    this.flash = flash;
    this.clock = clock;
    this.unixTime = unixTime;
    this.counted = { ...flash.state.usage };
    this.awakeSince = clock.elapsed();
    this.awaitHour();
  }

  /** Whole numbers, as told. */
  get usage(): Usage {
    const whole = Object.entries(this.counted).map(([name, count]) => [name, Math.floor(count)]);
    return Object.fromEntries(whole) as Usage;
  }

  /** Counts, parts included; the next note, or the hour, makes it durable. */
  count(what: keyof Usage, by = 1): void {
    this.counted[what] = Math.min(MOST[what], this.counted[what] + by);
  }

  /** Writes down what was done. A note that cannot be stored is no reason to stop. */
  note(operation: Note['operation'], because: EndReason = 'none'): void {
    const { notes } = this.flash.state;
    const entry = (notes.at(-1)?.entry ?? 0) + 1;
    const detail = REPORTS.recordingEnded.layout.because.values[because];
    const kept = [...notes, { entry, time: this.unixTime(), operation, detail }].slice(-MAX_NOTES);
    this.flash
      .saveState({ notes: kept, usage: { ...this.counted } })
      .catch((error: unknown) => console.error('a note could not be stored', error));
  }

  /** Oldest first. */
  notesAfter(entry: number): readonly Note[] {
    return this.flash.state.notes.filter((note) => note.entry > entry);
  }

  /** Counts no more hours, and what there was of the last one. */
  end(): void {
    this.cancelHour();
    this.countTimeAwake();
  }

  private awaitHour(): void {
    this.cancelHour = this.clock.after(MS_PER_HOUR, () => {
      this.countTimeAwake();
      this.flash
        .saveState({ usage: { ...this.counted } })
        .catch((error: unknown) => console.error('the counts could not be stored', error));
      this.emit('hour', this.usage);
      this.awaitHour();
    });
  }

  private countTimeAwake(): void {
    const now = this.clock.elapsed();
    this.count('poweredSeconds', (now - this.awakeSince) / 1000);
    this.awakeSince = now;
  }
}
