import type { LinkState } from '../ports/recorder.ts';

/** Why nothing is connected, as the words for it are called (`connect.lost`); null where none are wanted. */
export function whyNotConnected(link: Exclude<LinkState, { status: 'none' }>) {
  if (link.status === 'unavailable') return 'radio_off';
  return link.status === 'idle' || link.status === 'reconnecting' ? link.why : null;
}
