/** dBm, as phones commonly cut it: a hand away, in the room, at the edge. */
const nearDbm = -60;
const farDbm = -80;

/** How near a recorder is that is heard so well. @param rssi dBm */
export function signalWord(rssi: number): 'strong' | 'fair' | 'weak' {
  return rssi >= nearDbm ? 'strong' : rssi >= farDbm ? 'fair' : 'weak';
}
