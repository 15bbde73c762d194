/** Links over Wi-Fi: the frames of Bluetooth over a WebSocket of its HTTP service (PROTOCOL.md, 10). */
import { fromHex, toHex } from '@linnet/base';
import type { WifiAccess } from '@linnet/device/session';
import type { Transport } from '@linnet/device/transport';
import { openSocket } from '../socket-link.ts';

/** The subprotocol under version 1; the token is offered beside it. */
export const WIFI_PROTOCOL = 'linnet';

/** The subprotocol under version 2; nothing is offered beside it. */
export const WIFI_PROTOCOL_2 = 'linnet2';

/** Close codes of `/link` under version 2, from the range that RFC 6455 leaves to applications. */
export const WIFI_CLOSE = {
  /** The proof is wrong. */
  refused: 4010,
  /** No proof came in time. */
  late: 4011,
  /** The secret was used for an earlier link. */
  used: 4012,
} as const;

/** Address of a recorder over Wi-Fi, with its credentials. */
export type WifiPlace = WifiAccess & {
  /** `http://192.168.4.1:80` */
  readonly origin: string;
};

/**
 * Opens a link to a recorder whose network this device has joined. Under version 2 the secret is proved, not sent,
 * and a recorder that requests no proof is rejected.
 * @throws {TransportError} `recorder_busy`, `connect_failed`, also with a wrong token or secret, `aborted`
 */
export async function openWifi(
  place: WifiPlace,
  options: { deviceId: string; name?: string; signal?: AbortSignal },
): Promise<Transport> {
  const { deviceId, name = '', signal } = options;
  const url = new URL('/link', place.origin);
  url.protocol = 'ws:';
  const common = { kind: 'wifi', url: url.href, deviceId, name, signal } as const;
  if (place.version === 1) {
    return openSocket({ ...common, protocols: [WIFI_PROTOCOL, place.token] });
  }
  const { wifiProof } = await import('@linnet/device/channel');
  const secret = fromHex(place.secret);
  return openSocket({
    ...common,
    protocols: [WIFI_PROTOCOL_2],
    prove: (greeting) => {
      const challenge = challengeIn(greeting);
      return challenge && toHex(wifiProof(secret, challenge));
    },
  });
}

/** @returns null if the recorder's first message carries no challenge */
function challengeIn(greeting: string): Uint8Array | null {
  const hex = /^\{"challenge":"([0-9a-f]{64})"\}$/.exec(greeting)?.[1];
  return hex === undefined ? null : fromHex(hex);
}
