/**
 * Power, screen and sleep (specification, section 4). Asleep, the recorder still advertises, slowly; sleep
 * never ends a recording or a transfer.
 */
import { EventEmitter } from 'node:events';
import type { PacedClock } from './paced-clock.ts';

/** The screen is dark after so long without a press. */
export const SCREEN_MS = 10_000;
/** Asleep after so long: with a phone that asks for nothing, while it pairs, and without a phone. */
export const SLEEP_MS = { connected: 30 * 60_000, pairing: 60_000, alone: 15_000 } as const;

export type PowerState = 'off' | 'asleep' | 'awake';

/** What keeps the recorder awake, and for how long. */
export type Occupation =
  /** It records, or moves what it recorded: it does not sleep. */
  'busy' | keyof typeof SLEEP_MS;

interface PowerEvents {
  changed: [];
}

/** Switches itself off and on by what happens around it. */
export class Power extends EventEmitter<PowerEvents> {
  private current: PowerState = 'awake';
  private lit = true;
  private readonly clock: PacedClock;
  private readonly occupation: () => Occupation;
  private cancelScreen = () => {};
  private cancelSleep = () => {};

  /** @param occupation what it does now; {@link occupied} is to be called when that changes */
  constructor(clock: PacedClock, occupation: () => Occupation) {
    super();
    this.clock = clock;
    this.occupation = occupation;
    this.wake();
  }

  get state(): PowerState {
    return this.current;
  }

  /** Whether the screen is lit. */
  get isLit(): boolean {
    return this.lit;
  }

  /** A press, or something worth looking at; what is off stays off. */
  wake(): void {
    if (this.current === 'off') return;
    this.cancelScreen();
    this.cancelScreen = this.clock.after(SCREEN_MS, () => this.become(this.current, false));
    this.become('awake', true);
    this.occupied();
  }

  /** What it does has changed: the time until it sleeps begins anew. */
  occupied(): void {
    this.cancelSleep();
    if (this.current === 'off') return;
    const occupation = this.occupation();
    if (occupation === 'busy') {
      this.become('awake', this.lit);
      return;
    }
    if (this.current !== 'awake') return;
    this.cancelSleep = this.clock.after(SLEEP_MS[occupation], () => {
      if (this.occupation() === 'busy') return;
      this.cancelScreen();
      this.become('asleep', false);
    });
  }

  switchOff(): void {
    this.cancelScreen();
    this.cancelSleep();
    this.become('off', false);
  }

  switchOn(): void {
    if (this.current !== 'off') return;
    this.current = 'asleep';
    this.wake();
  }

  private become(state: PowerState, lit: boolean): void {
    if (state === this.current && lit === this.lit) return;
    this.current = state;
    this.lit = lit;
    this.emit('changed');
  }
}
