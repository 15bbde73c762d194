import { createECDH } from 'node:crypto';

/** The keys that identify the server to push services (VAPID, RFC 8292), in base64url. */
export interface VapidKeys {
  /** An uncompressed P-256 point. Browsers bind their subscriptions to it. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Order of the P-256 group (FIPS 186-5, appendix on curve parameters). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const privateKeyBytes = 32;

/** Derives the keys from a seed of at least 48 bytes. The same seed yields the same keys, so they aren't stored. */
export function deriveVapidKeys(seed: Uint8Array): VapidKeys {
  const number = BigInt(`0x${Buffer.from(seed).toString('hex')}`);
  const scalar = (number % (order - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(privateKeyBytes * 2, '0'), 'hex');
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey);
  return {
    publicKey: ecdh.getPublicKey('base64url'),
    privateKey: privateKey.toString('base64url'),
  };
}
