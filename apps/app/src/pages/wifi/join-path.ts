import { paths } from '../../page-kit/paths.ts';
import type { NetworkJoining } from '../../ports/recorder.ts';

/** Returns the page where joining the recorder's network continues. */
export function joinPath(joining: NetworkJoining): string {
  return joining === 'asked' ? paths.wifiJoin : paths.wifiJoinByHand;
}
