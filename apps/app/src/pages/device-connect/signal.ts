/** Customary thresholds in dBm: strong within reach, fair in the same room, weak at the limit of the range. */
const nearDbm = -60;
const farDbm = -80;

/**
 * Describes a signal strength.
 * @param rssi in dBm
 */
export function signalStrength(rssi: number): 'strong' | 'fair' | 'weak' {
  return rssi >= nearDbm ? 'strong' : rssi >= farDbm ? 'fair' : 'weak';
}
