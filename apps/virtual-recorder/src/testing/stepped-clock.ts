/** Time that somebody else owns. */
import { PacedClock } from '../paced-clock.ts';

type Waiting = { readonly due: number; readonly callback: () => void };

/**
 * A clock that stands still until it is told what time it is: a transfer of hours takes as long as it
 * is worked on, and what this machine does meanwhile takes none of the recorder's time.
 */
export class SteppedClock extends PacedClock {
  private time = 0;
  private readonly waiting = new Set<Waiting>();

  override elapsed(): number {
    return this.time;
  }

  override after(ms: number, callback: () => void): () => void {
    const each = { due: this.time + Math.max(0, ms), callback };
    this.waiting.add(each);
    return () => this.waiting.delete(each);
  }

  /** When something is to be called back next, ms; infinite when nothing is. */
  get next(): number {
    let least = Number.POSITIVE_INFINITY;
    for (const { due } of this.waiting) least = Math.min(least, due);
    return least;
  }

  /** Goes on, and calls back what is due by then, each at its own moment. */
  advanceTo(time: number): void {
    for (let { next } = this; next <= time; next = this.next) {
      this.time = Math.max(this.time, next);
      for (const each of [...this.waiting]) {
        if (each.due <= this.time && this.waiting.delete(each)) each.callback();
      }
    }
    this.time = Math.max(this.time, time);
  }
}
