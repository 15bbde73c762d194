/** Button presses and their actions (specification, section 4). */

export const BUTTONS = ['power', 'wifi', 'corner'] as const;
export type Button = (typeof BUTTONS)[number];

/** The action of a button press. */
export type PressAction =
  /** Wakes the recorder, turns it on, or confirms a request. */
  | 'wake'
  /** Starts or stops a recording. */
  | 'record'
  /** Confirms a pending bind on a bound recorder. Otherwise, the action is the same as `record`. */
  | 'confirm'
  /** Stops an accidental recording in any state. */
  | 'force-stop'
  /** Starts the hotspot, or leaves Wi-Fi. */
  | 'wifi'
  | 'switch-off'
  | 'restart'
  /** Clears the bindings. The action is available only on a recorder that is off. */
  | 'clear-bindings';

/** The duration of a short press in milliseconds. */
export const SHORT_PRESS_MS = 100;

/**
 * The hold time of the power button that confirms a bind on a bound recorder, in milliseconds. It is longer than the
 * hold that starts a recording, so that starting or waking the recorder cannot transfer it to another account.
 */
export const CONFIRM_HOLD_MS = 5000;

/** The confirmation timeout in milliseconds (specification: one minute of pairing). */
export const CONFIRM_TIMEOUT_MS = 60_000;

/** The hold time of the corner button that restarts a running recorder, in milliseconds. */
export const RESTART_MS = 15_000;

/** The minimum hold times of the actions of each button in milliseconds, longest first. */
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
    // This hold is not documented. The guides mention that the recorder can be off, but not how to turn it off.
    [3000, 'switch-off'],
    [0, 'wake'],
  ],
};

/** The hold time of the corner button that clears the bindings of a recorder that is off, in milliseconds. */
const CLEAR_MS = 3000;

/** @param ms the hold time in milliseconds */
export function pressAction(button: Button, ms: number, isOff: boolean): PressAction {
  if (isOff) return button === 'corner' && ms >= CLEAR_MS ? 'clear-bindings' : 'wake';
  return ACTIONS[button].find(([minimum]) => ms >= minimum)?.[1] ?? 'wake';
}
