/**
 * The recorder's own time: milliseconds since it was started, passing `speed` times as fast as real
 * time. Radio, microphone and battery live by it; the calendar does not.
 */
export class PacedClock {
  private base = 0;
  private baseReal = performance.now();
  private factor: number;

  constructor(speed = 1) {
    this.factor = speed;
  }

  get speed(): number {
    return this.factor;
  }

  set speed(speed: number) {
    this.base = this.elapsed();
    this.baseReal = performance.now();
    this.factor = speed;
  }

  elapsed(): number {
    return this.base + (performance.now() - this.baseReal) * this.factor;
  }

  /** Calls back once after `ms` of the recorder's time at the present speed; returns a canceller. */
  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, Math.max(0, ms / this.factor));
    return () => clearTimeout(timer);
  }
}
