import type { ConnectedRecorder } from '../../ports/recorder.ts';

/** Percent below which a recorder that is not charging takes no firmware (PROTOCOL.md, result 38). */
const LEAST_BATTERY = 20;

/**
 * What is known to stand in the way of new firmware before anything is sent. The recorder knows more, such
 * as a cable that makes it a USB disk, and says so as soon as it is asked.
 */
export function obstacleTo({
  battery,
  recording,
  medium,
}: Pick<ConnectedRecorder, 'battery' | 'recording' | 'medium'>):
  | 'battery_low'
  | 'recording'
  | 'wifi'
  | null {
  if (recording.state === 'recording') return 'recording';
  if (battery.level < LEAST_BATTERY && !battery.charging) return 'battery_low';
  return medium === 'wifi' ? 'wifi' : null;
}
