/**
 * How long to wait between a disconnect and a new connection to the same device, in milliseconds. During this time, Chromium
 * may return the old, closed link.
 */
export const DISCONNECT_SETTLE_MS = 250;
