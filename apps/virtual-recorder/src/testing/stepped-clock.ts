/** A recorder clock advanced by tests. */
import { PacedClock } from '../paced-clock.ts';

type Timer = { readonly dueAt: number; readonly callback: () => void };

/**
 * A clock that stands still between steps. Simulating hours of transfer takes only the processing time, and slow
 * processing doesn't advance the recorder's clock.
 */
export class SteppedClock extends PacedClock {
  private time = 0;
  private readonly timers = new Set<Timer>();

  override elapsed(): number {
    return this.time;
  }

  override after(ms: number, callback: () => void): () => void {
    const timer = { dueAt: this.time + Math.max(0, ms), callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** The due time of the next timer in milliseconds, or infinity if there is no timer. */
  get nextDueAt(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.timers) earliest = Math.min(earliest, dueAt);
    return earliest;
  }

  /** Advances to a time, running each timer at its due time. */
  advanceTo(time: number): void {
    for (let { nextDueAt } = this; nextDueAt <= time; nextDueAt = this.nextDueAt) {
      this.time = Math.max(this.time, nextDueAt);
      for (const timer of [...this.timers]) {
        if (timer.dueAt <= this.time && this.timers.delete(timer)) timer.callback();
      }
    }
    this.time = Math.max(this.time, time);
  }
}
