import type { StepCounter } from './step-counter.ts';

/** When a process is killed, relative to a write. */
export type Moment = 'before' | 'during' | 'after';

/** Thrown by every operation of a killed process. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/**
 * One run of a phone's app. It can be killed like a process: from then on, its operations have no effect. A write in
 * progress is completed, lost or torn.
 */
export class AppRun {
  readonly stop = new AbortController();
  readonly #stepCounter: StepCounter;
  #isKilled = false;
  #inFlight = 0;
  #kill: { writes: number; readonly at: Moment } | null = null;

  constructor(stepCounter: StepCounter) {
    this.#stepCounter = stepCounter;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** True once the operating system has completed the last write of a killed run. False while the app runs. */
  get hasFinishedWrites(): boolean {
    return this.#isKilled && this.#inFlight === 0;
  }

  /** Kills the app during one of its next writes. @param writes number of writes to complete first */
  killAt(writes: number, at: Moment): void {
    this.#kill = { writes, at };
  }

  kill(): void {
    this.#isKilled = true;
    this.stop.abort(new Killed());
  }

  /** @throws Killed */
  check(): void {
    if (this.#isKilled) throw new Killed();
  }

  /** Runs an operation that doesn't write to disk. @throws Killed */
  async read<T>(operation: () => Promise<T>): Promise<T> {
    this.check();
    const result = await operation();
    this.check();
    this.#stepCounter.increment();
    return result;
  }

  /**
   * Runs a write.
   * @param tear leaves the disk as if the process had been killed during the write
   * @throws Killed
   */
  async write<T>(
    write: () => Promise<T>,
    tear: () => Promise<unknown> = async () => {},
  ): Promise<T> {
    this.check();
    this.#inFlight += 1;
    try {
      const moment = this.#countDown();
      if (moment === 'before') this.#end();
      if (moment === 'during') {
        await tear();
        this.#end();
      }
      const result = await write();
      if (moment === 'after') this.#end();
      this.check();
      this.#stepCounter.increment();
      return result;
    } finally {
      this.#inFlight -= 1;
    }
  }

  #countDown(): Moment | null {
    if (!this.#kill) return null;
    if (this.#kill.writes > 0) {
      this.#kill.writes -= 1;
      return null;
    }
    return this.#kill.at;
  }

  #end(): never {
    this.kill();
    throw new Killed();
  }
}
