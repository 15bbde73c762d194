import type { LinkState } from '../ports/recorder.ts';

/**
 * Returns the key under `connect.lost` that explains why there is no connection, or null if no explanation is needed.
 */
export function disconnectedReason(link: Exclude<LinkState, { status: 'none' }>) {
  if (link.status === 'unavailable') return 'radio_off';
  return link.status === 'idle' || link.status === 'reconnecting' ? link.reason : null;
}
