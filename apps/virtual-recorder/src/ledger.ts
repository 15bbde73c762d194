/** What the recorder counts, and its notes of what was done with it; both outlive a loss of power. */
import type { ResponseOf } from '@linnet/device/codec';
import type { Flash } from './flash/flash.ts';

export type Usage = ResponseOf<'usageStatistics'>;
export type Note = ResponseOf<'operationData'>['items'][number];

/** Notes that are kept; older ones make room (PROTOCOL.md, `operationData`). */
export const MAX_NOTES = 256;

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

export class Ledger {
  private readonly flash: Flash;
  private readonly counted: { -readonly [K in keyof Usage]: number };

  constructor(flash: Flash) {
    this.flash = flash;
    this.counted = { ...flash.state.usage };
  }

  /** Whole numbers, as told. */
  get usage(): Usage {
    const whole = Object.entries(this.counted).map(([name, count]) => [name, Math.floor(count)]);
    return Object.fromEntries(whole) as Usage;
  }

  /** Counts, parts included; {@link save} makes it durable. */
  count(what: keyof Usage, by = 1): void {
    this.counted[what] = Math.min(MOST[what], this.counted[what] + by);
  }

  /** @param time seconds since 1970-01-01 UTC */
  note(operation: Note['operation'], time: number, detail = 0): Promise<void> {
    const { notes } = this.flash.state;
    const entry = (notes.at(-1)?.entry ?? 0) + 1;
    const kept = [...notes, { entry, time, operation, detail }].slice(-MAX_NOTES);
    return this.flash.saveState({ notes: kept, usage: { ...this.counted } });
  }

  /** Oldest first. */
  notesAfter(entry: number): readonly Note[] {
    return this.flash.state.notes.filter((note) => note.entry > entry);
  }

  save(): Promise<void> {
    return this.flash.saveState({ usage: { ...this.counted } });
  }
}
