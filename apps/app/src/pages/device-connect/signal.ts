/**
 * Common signal thresholds in dBm: strong within arm's reach, fair in the same room, weak near the limit of the range.
 */
const nearDbm = -60;
const farDbm = -80;

/**
 * Describes a signal strength.
 * @param rssi in dBm
 */
export function signalStrength(rssi: number): 'strong' | 'fair' | 'weak' {
  return rssi >= nearDbm ? 'strong' : rssi >= farDbm ? 'fair' : 'weak';
}
