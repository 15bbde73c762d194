/**
 * Power, screen and sleep (specification, section 4). A sleeping recorder still advertises, but at a lower rate. Sleep
 * never interrupts a recording or a transfer.
 */
import { EventEmitter } from 'node:events';
import type { PacedClock } from './paced-clock.ts';

/** The screen timeout after the last press. */
export const SCREEN_MS = 10_000;
/** The sleep timeouts with an idle phone connected, while pairing, and without a phone. */
export const SLEEP_MS = { connected: 30 * 60_000, pairing: 60_000, disconnected: 15_000 } as const;

export type PowerState = 'off' | 'asleep' | 'awake';

/** The activity that determines the sleep timeout. */
export type Occupation =
  /** The recorder is recording or transferring, which prevents sleep. */
  'busy' | keyof typeof SLEEP_MS;

interface PowerEvents {
  changed: [];
}

/** Manages power state and screen. */
export class Power extends EventEmitter<PowerEvents> {
  private currentState: PowerState = 'awake';
  private isScreenLit = true;
  private readonly clock: PacedClock;
  private readonly occupation: () => Occupation;
  private cancelScreen = () => {};
  private cancelSleep = () => {};

  /** @param occupation returns the current activity; call {@link updateOccupation} when the activity changes */
  constructor(clock: PacedClock, occupation: () => Occupation) {
    super();
    this.clock = clock;
    this.occupation = occupation;
    this.wake();
  }

  get state(): PowerState {
    return this.currentState;
  }

  /** Whether the screen is lit. */
  get isLit(): boolean {
    return this.isScreenLit;
  }

  /** Wakes the recorder and lights the screen. Has no effect while the recorder is off. */
  wake(): void {
    if (this.currentState === 'off') return;
    this.cancelScreen();
    this.cancelScreen = this.clock.after(SCREEN_MS, () => this.setState(this.currentState, false));
    this.setState('awake', true);
    this.updateOccupation();
  }

  /** Restarts the sleep timeout after a change of activity. */
  updateOccupation(): void {
    this.cancelSleep();
    if (this.currentState === 'off') return;
    const occupation = this.occupation();
    if (occupation === 'busy') {
      this.setState('awake', this.isScreenLit);
      return;
    }
    if (this.currentState !== 'awake') return;
    this.cancelSleep = this.clock.after(SLEEP_MS[occupation], () => {
      if (this.occupation() === 'busy') return;
      this.cancelScreen();
      this.setState('asleep', false);
    });
  }

  switchOff(): void {
    this.cancelScreen();
    this.cancelSleep();
    this.setState('off', false);
  }

  switchOn(): void {
    if (this.currentState !== 'off') return;
    this.currentState = 'asleep';
    this.wake();
  }

  private setState(state: PowerState, isScreenLit: boolean): void {
    if (state === this.currentState && isScreenLit === this.isScreenLit) return;
    this.currentState = state;
    this.isScreenLit = isScreenLit;
    this.emit('changed');
  }
}
