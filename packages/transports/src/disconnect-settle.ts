/** The pause that Chromium needs between two links to the same device, for all adapters on its Bluetooth. */

/**
 * After a disconnect, Chromium briefly still returns the old link, which then proves to be closed. A new connect
 * waits this long.
 */
export const DISCONNECT_SETTLE_MS = 250;
