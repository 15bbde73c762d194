/** The longest that a timer of Node can wait, ms; told to wait longer, it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Real milliseconds that something may be called back too early; timers of Node are, by up to one. */
const EARLY_MS = 0.01;

/** Something that is still to be called back. */
type Pending = {
  /** The recorder's time at which it is due, ms. */
  readonly due: number;
  readonly callback: () => void;
  timer?: NodeJS.Timeout;
};

/**
 * The recorder's own time: milliseconds since it was started, passing `speed` times as fast as real
 * time. Radio, microphone and battery live by it; the calendar does not.
 */
export class PacedClock {
  private base = 0;
  private baseReal = performance.now();
  private factor: number;
  private readonly pending = new Set<Pending>();

  constructor(speed = 1) {
    this.factor = speed;
  }

  get speed(): number {
    return this.factor;
  }

  /** What is still to come comes by the new speed, too. */
  set speed(speed: number) {
    this.base = this.elapsed();
    this.baseReal = performance.now();
    this.factor = speed;
    for (const each of this.pending) {
      clearTimeout(each.timer);
      this.wait(each);
    }
  }

  elapsed(): number {
    return this.base + (performance.now() - this.baseReal) * this.factor;
  }

  /** Calls back once after `ms` of the recorder's time; returns a canceller. */
  after(ms: number, callback: () => void): () => void {
    const each: Pending = { due: this.elapsed() + ms, callback };
    this.pending.add(each);
    this.wait(each);
    return () => {
      clearTimeout(each.timer);
      this.pending.delete(each);
    };
  }

  private wait(each: Pending): void {
    const left = () => Math.max(0, each.due - this.elapsed()) / this.factor;
    each.timer = setTimeout(
      () => {
        if (left() > EARLY_MS) return this.wait(each);
        this.pending.delete(each);
        each.callback();
      },
      Math.min(left(), LONGEST_TIMER_MS),
    );
  }
}
