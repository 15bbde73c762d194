import type { ConnectedRecorder } from '../../ports/recorder.ts';

/** Battery level in percent below which a recorder that isn't charging rejects firmware (PROTOCOL.md, result 38). */
const MIN_BATTERY = 20;

/**
 * Returns why an update can't start, or null. The recorder may report further reasons, such as being connected as a USB
 * disk.
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
