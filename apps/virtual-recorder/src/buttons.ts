/** Button presses and their actions (specification, section 4). */

export const BUTTONS = ['power', 'wifi', 'corner'] as const;
export type Button = (typeof BUTTONS)[number];

/** The action of a button press. */
export type PressAction =
  /** Wakes the recorder, turns it on, or confirms a request. */
  | 'wake'
  /** Starts or stops a recording. */
  | 'record'
  /** Confirms a pending bind on a bound recorder; otherwise the same as `record`. */
  | 'confirm'
  /** Stops an accidental recording, whatever state the recorder is in. */
  | 'force-stop'
  /** Starts the hotspot, or leaves Wi-Fi. */
  | 'wifi'
  | 'switch-off'
  | 'restart'
  /** Clears the bindings. Only available while the recorder is off. */
  | 'clear-bindings';

/** Duration of a short press, in milliseconds. */
export const SHORT_PRESS_MS = 100;

/**
 * How long the power button must be held to confirm a bind on a bound recorder, in milliseconds. Longer than the hold
 * that starts a recording, so that waking the recorder or starting a recording can't hand it over to another account.
 */
export const CONFIRM_HOLD_MS = 5000;

/** Confirmation timeout, in milliseconds (the specification allows one minute for pairing). */
export const CONFIRM_TIMEOUT_MS = 60_000;

/** How long the corner button must be held to restart a running recorder, in milliseconds. */
export const RESTART_MS = 15_000;

/** Each button's actions with their minimum hold times in milliseconds, longest first. */
const ACTIONS: Readonly<Record<Button, readonly (readonly [ms: number, action: PressAction])[]>> = {
  power: [
    [9000, 'force-stop'],
    [CONFIRM_HOLD_MS, 'confirm'],
    [2000, 'record'],
    [0, 'wake'],
  ],
  wifi: [[0, 'wifi']],
  corner: [
    [RESTART_MS, 'restart'],
    // Not documented: the guides mention that the recorder can be off, but not how to turn it off.
    [3000, 'switch-off'],
    [0, 'wake'],
  ],
};

/** How long the corner button must be held to clear the bindings while the recorder is off, in milliseconds. */
const CLEAR_MS = 3000;

/** Returns the action of a button press. @param ms the hold time in milliseconds */
export function pressAction(button: Button, ms: number, isOff: boolean): PressAction {
  if (isOff) return button === 'corner' && ms >= CLEAR_MS ? 'clear-bindings' : 'wake';
  return ACTIONS[button].find(([minimum]) => ms >= minimum)?.[1] ?? 'wake';
}
