/** The buttons: what a press of some length does (specification, section 4). */

export const BUTTONS = ['power', 'wifi', 'corner'] as const;
export type Button = (typeof BUTTONS)[number];

/** What a press asks of the recorder. */
export type Deed =
  /** Wakes it, switches it on, or confirms what it asks. */
  | 'wake'
  /** Starts or stops a recording. */
  | 'record'
  /** Confirms a bind that would take a bound recorder from its owner; otherwise as `record`. */
  | 'confirm'
  /** Ends a recording that was not meant, whatever stands in the way. */
  | 'force-stop'
  /** Raises the hotspot, or leaves WiFi. */
  | 'wifi'
  | 'switch-off'
  | 'restart'
  /** Only on a recorder that is off. */
  | 'clear-bindings';

/** A press that is over at once, ms. */
export const SHORT_PRESS_MS = 100;

/**
 * How long power is held to confirm a bind on a recorder that is bound, ms. Longer than the hold that records: who
 * starts a recording, or wakes the recorder, must not give it away.
 */
export const CONFIRM_HOLD_MS = 5000;

/** How long the press is waited for that confirms what it asks, ms (specification: one minute of pairing). */
export const CONFIRM_PATIENCE_MS = 60_000;

/** How long the corner is held on a recorder that is on to restart it. */
export const RESTART_MS = 15_000;

/** Milliseconds from which on a press means something else; the longest comes first. */
const MEANINGS: Readonly<Record<Button, readonly (readonly [ms: number, deed: Deed])[]>> = {
  power: [
    [9000, 'force-stop'],
    [CONFIRM_HOLD_MS, 'confirm'],
    [2000, 'record'],
    [0, 'wake'],
  ],
  wifi: [[0, 'wifi']],
  corner: [
    [RESTART_MS, 'restart'],
    // Ours: the guides say that it can be off, and not how.
    [3000, 'switch-off'],
    [0, 'wake'],
  ],
};

/** How long the corner is held on a recorder that is off to clear its bindings. */
const CLEAR_MS = 3000;

/** @param ms how long it is held */
export function deedOf(button: Button, ms: number, isOff: boolean): Deed {
  if (isOff) return button === 'corner' && ms >= CLEAR_MS ? 'clear-bindings' : 'wake';
  return MEANINGS[button].find(([from]) => ms >= from)?.[1] ?? 'wake';
}
