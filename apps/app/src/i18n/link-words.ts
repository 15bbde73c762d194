import type { LinkState } from '../ports/recorder.ts';

/**
 * The translation key (`connect.lost`) of the reason why no recorder is connected; null if none needs to be
 * given.
 */
export function whyNotConnected(link: Exclude<LinkState, { status: 'none' }>) {
  if (link.status === 'unavailable') return 'radio_off';
  return link.status === 'idle' || link.status === 'reconnecting' ? link.why : null;
}
