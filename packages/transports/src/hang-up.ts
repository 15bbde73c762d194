/** What Chromium needs between two links to the same device; shared by all that run on its Bluetooth. */

/**
 * After we hang up, Chromium still remembers the link for a moment and would hand it out again,
 * only to find it gone. A fresh connect waits until that is over.
 */
export const HANG_UP_MS = 250;
