import { paths } from '../../page-kit/paths.ts';
import type { NetworkJoining } from '../../ports/recorder.ts';

/** Where joining the recorder's network goes on. */
export function joinPath(joining: NetworkJoining): string {
  return joining === 'asked' ? paths.wifiJoin : paths.wifiJoinByHand;
}
