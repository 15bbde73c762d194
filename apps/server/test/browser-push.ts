/**
 * The browser's side of Web Push, written from RFC 8291 and RFC 8292 using only Node's crypto module. Shares no code
 * with the server.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import type { ReceivedRequest } from './receiver.ts';

export interface Browser {
  /** The keys of a subscription, as in `PushSubscription.toJSON()`. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** Decrypts a message (RFC 8291, 3.4). Throws if it was encrypted for another browser. */
  decrypt(body: Uint8Array): string;
}

export function createBrowser(): Browser {
  const ecdh = createECDH('prime256v1');
  const publicKey = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body) {
      const bytes = Buffer.from(body);
      // The aes128gcm header (RFC 8188, 2.1): salt, record size, key ID length, key ID.
      const salt = bytes.subarray(0, 16);
      const recordSize = bytes.readUInt32BE(16);
      const keyLength = bytes.readUInt8(20);
      const serverKey = bytes.subarray(21, 21 + keyLength);
      const record = bytes.subarray(21 + keyLength);
      if (record.length > recordSize) throw new RangeError('more than one record');
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, serverKey]);
      const secret = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(serverKey), auth, info, 32));
      const derive = (label: string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${label}\0`, length));
      const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      cipher.setAuthTag(record.subarray(-16));
      const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
      // The last record ends with the delimiter 2, followed by zeros.
      const end = padded.lastIndexOf(2);
      if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) {
        throw new RangeError('invalid padding');
      }
      return padded.subarray(0, end).toString();
    },
  };
}

/** The claims in a server's token (RFC 8292, 2). */
export interface VapidClaims {
  readonly aud: string;
  readonly exp: number;
  readonly sub: string;
}

/**
 * Verifies that the server signed a message with a key, and returns its claims.
 * @throws Error if the signature is invalid or the key is different
 */
export function verifyVapid(
  { headers }: Pick<ReceivedRequest, 'headers'>,
  publicKey: string,
): VapidClaims {
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('signed with a different key');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({
        format: 'jwk',
        key: {
          ...{ kty: 'EC', crv: 'P-256' },
          x: point.subarray(1, 33).toString('base64url'),
          y: point.subarray(33).toString('base64url'),
        },
      }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('invalid signature');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as VapidClaims;
}
