/** Customary thresholds in dBm: within reach, in the same room, at the limit. */
const nearDbm = -60;
const farDbm = -80;

/** Describes a signal strength. @param rssi dBm */
export function signalWord(rssi: number): 'strong' | 'fair' | 'weak' {
  return rssi >= nearDbm ? 'strong' : rssi >= farDbm ? 'fair' : 'weak';
}
