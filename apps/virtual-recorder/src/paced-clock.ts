/** The maximum delay of a Node.js timer in milliseconds. A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The tolerance for early callbacks in real milliseconds. Node.js timers fire up to 1 ms early. */
const EARLY_MS = 0.01;

type PendingTimer = {
  /** The recorder time at which the timer is due, in milliseconds. */
  readonly dueAt: number;
  readonly callback: () => void;
  timeout?: NodeJS.Timeout;
};

/**
 * A clock that measures recorder time: milliseconds since the start, at `speed` times the speed of real time. Recorder
 * time drives the radio, the microphone and the battery, but not the calendar.
 */
export class PacedClock {
  private baseElapsed = 0;
  private baseReal = performance.now();
  private currentSpeed: number;
  private readonly pending = new Set<PendingTimer>();

  constructor(speed = 1) {
    this.currentSpeed = speed;
  }

  get speed(): number {
    return this.currentSpeed;
  }

  /** Sets the speed. Also applies to pending timers. */
  set speed(speed: number) {
    this.baseElapsed = this.elapsed();
    this.baseReal = performance.now();
    this.currentSpeed = speed;
    for (const timer of this.pending) {
      clearTimeout(timer.timeout);
      this.schedule(timer);
    }
  }

  elapsed(): number {
    return this.baseElapsed + (performance.now() - this.baseReal) * this.currentSpeed;
  }

  /**
   * Schedules one call after `ms` of recorder time.
   * @returns a function that cancels it
   */
  after(ms: number, callback: () => void): () => void {
    const timer: PendingTimer = { dueAt: this.elapsed() + ms, callback };
    this.pending.add(timer);
    this.schedule(timer);
    return () => {
      clearTimeout(timer.timeout);
      this.pending.delete(timer);
    };
  }

  private schedule(timer: PendingTimer): void {
    const remainingMs = () => Math.max(0, timer.dueAt - this.elapsed()) / this.currentSpeed;
    timer.timeout = setTimeout(
      () => {
        if (remainingMs() > EARLY_MS) return this.schedule(timer);
        this.pending.delete(timer);
        timer.callback();
      },
      Math.min(remainingMs(), MAX_TIMER_MS),
    );
  }
}
