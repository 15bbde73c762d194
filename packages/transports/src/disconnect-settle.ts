/**
 * How long to wait after a disconnect before connecting to the same device again, in milliseconds. Until then, Chromium
 * may return the old, closed link.
 */
export const DISCONNECT_SETTLE_MS = 250;
