/** The recorder over WiFi: the frames of Bluetooth over a WebSocket of its HTTP service (PROTOCOL.md, 10). */
import type { Transport } from '@linnet/device/transport';
import { openSocket } from '../socket-link.ts';

/** The subprotocol; the token is offered beside it. */
export const WIFI_PROTOCOL = 'linnet';

/** Where a recorder serves HTTP, and what lets one in. */
export interface WifiPlace {
  /** `http://192.168.4.1:80` */
  readonly origin: string;
  /** Hex, from `wifiOpen` or `wifiConfigure`. */
  readonly token: string;
}

/**
 * Opens a link to a recorder whose network this device has joined.
 * @throws {TransportError} `recorder_busy`, `connect_failed`, also with a wrong token, `aborted`
 */
export function openWifi(
  place: WifiPlace,
  options: { deviceId: string; name?: string; signal?: AbortSignal },
): Promise<Transport> {
  const { deviceId, name = '', signal } = options;
  const url = new URL('/link', place.origin);
  url.protocol = 'ws:';
  const protocols = [WIFI_PROTOCOL, place.token];
  return openSocket({ kind: 'wifi', url: url.href, protocols, deviceId, name, signal });
}
