/**
 * Opens links over Wi-Fi. They carry the same frames as Bluetooth links, over a WebSocket on the recorder's HTTP
 * service (PROTOCOL.md, section 10).
 */
import { fromHex, toHex } from '@linnet/base';
import type { WifiAccess } from '@linnet/device/session';
import type { Transport } from '@linnet/device/transport';
import { openSocket } from '../socket-link.ts';

/** The subprotocol of version 1, offered together with the token. */
export const WIFI_PROTOCOL = 'linnet';

/** The subprotocol of version 2, offered alone. */
export const WIFI_PROTOCOL_2 = 'linnet2';

/** The close codes of `/link` under version 2, from the private range of RFC 6455. */
export const WIFI_CLOSE = {
  /** The proof was invalid. */
  refused: 4010,
  /** No proof arrived before the timeout. */
  late: 4011,
  /** The secret was already used for an earlier link. */
  used: 4012,
} as const;

/** A recorder's Wi-Fi address and credentials. */
export type WifiEndpoint = WifiAccess & {
  /** The origin of the recorder's HTTP service, such as `http://192.168.4.1:80`. */
  readonly origin: string;
};

/**
 * Opens a link to a recorder on the same network as this device. Under version 2, this device proves that it knows the
 * secret without sending it, and rejects a recorder that doesn't ask for proof.
 * @throws {TransportError} `recorder_busy`, `connect_failed` (also for a wrong token or secret), `aborted`
 */
export async function openWifi(
  endpoint: WifiEndpoint,
  options: { deviceId: string; name?: string; signal?: AbortSignal },
): Promise<Transport> {
  const { deviceId, name = '', signal } = options;
  const url = new URL('/link', endpoint.origin);
  url.protocol = 'ws:';
  const common = { kind: 'wifi', url: url.href, deviceId, name, signal } as const;
  if (endpoint.version === 1) {
    return openSocket({ ...common, protocols: [WIFI_PROTOCOL, endpoint.token] });
  }
  const { wifiProof } = await import('@linnet/device/channel');
  const secret = fromHex(endpoint.secret);
  return openSocket({
    ...common,
    protocols: [WIFI_PROTOCOL_2],
    createProof: (greeting) => {
      const challenge = readChallenge(greeting);
      return challenge && toHex(wifiProof(secret, challenge));
    },
  });
}

/** Reads the challenge from the recorder's first message. @returns null if there is none */
function readChallenge(greeting: string): Uint8Array | null {
  const hex = /^\{"challenge":"([0-9a-f]{64})"\}$/.exec(greeting)?.[1];
  return hex === undefined ? null : fromHex(hex);
}
