import type { LinkState } from '../ports/recorder.ts';

/**
 * Returns the translation key under `connect.lost` for the reason of a missing connection, or null if it needs
 * no explanation.
 */
export function disconnectedReason(link: Exclude<LinkState, { status: 'none' }>) {
  if (link.status === 'unavailable') return 'radio_off';
  return link.status === 'idle' || link.status === 'reconnecting' ? link.reason : null;
}
