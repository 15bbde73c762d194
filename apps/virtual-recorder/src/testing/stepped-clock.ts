/** Recorder clock that a test advances. */
import { PacedClock } from '../paced-clock.ts';

type Timer = { readonly due: number; readonly callback: () => void };

/**
 * Clock that stands still between steps, so that hours of transfer take no longer than their processing, and
 * slow processing takes no recorder time.
 */
export class SteppedClock extends PacedClock {
  private time = 0;
  private readonly timers = new Set<Timer>();

  override elapsed(): number {
    return this.time;
  }

  override after(ms: number, callback: () => void): () => void {
    const timer = { due: this.time + Math.max(0, ms), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Due time of the next timer, ms; infinite if there is none. */
  get next(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { due } of this.timers) earliest = Math.min(earliest, due);
    return earliest;
  }

  /** Advances to a time, running each timer at its due time. */
  advanceTo(time: number): void {
    for (let { next } = this; next <= time; next = this.next) {
      this.time = Math.max(this.time, next);
      for (const timer of [...this.timers]) {
        if (timer.due <= this.time && this.timers.delete(timer)) timer.callback();
      }
    }
    this.time = Math.max(this.time, time);
  }
}
