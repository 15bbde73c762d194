/** The delay that Chromium needs between two links to the same device. Shared by all adapters that use it. */

/**
 * After a disconnect, Chromium briefly returns the old, closed link. A new connect must wait this long,
 * milliseconds.
 */
export const DISCONNECT_SETTLE_MS = 250;
