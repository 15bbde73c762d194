import type { ConnectedRecorder } from '../../ports/recorder.ts';

/**
 * Battery level, in percent, below which a recorder that is not charging refuses firmware (PROTOCOL.md,
 * result 38).
 */
const MIN_BATTERY = 20;

/**
 * An obstacle to an update that is known before anything is sent. The recorder may report others, such as a
 * cable that makes it a USB disk.
 */
export function updateObstacle({
  battery,
  recording,
  medium,
}: Pick<ConnectedRecorder, 'battery' | 'recording' | 'medium'>):
  | 'battery_low'
  | 'recording'
  | 'wifi'
  | null {
  if (recording.state === 'recording') return 'recording';
  if (battery.level < MIN_BATTERY && !battery.charging) return 'battery_low';
  return medium === 'wifi' ? 'wifi' : null;
}
