/** The recorder's factory key pair, which signs attestations for accounts. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';

/** Length of an Ed25519 key in bytes. The key comes last in its DER encodings (RFC 8410, section 7). */
const KEY_BYTES = 32;
/** The PKCS#8 prefix of an Ed25519 seed (RFC 8410, section 7). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Generates a key.
 * @returns the Ed25519 seed, 32 bytes in hex
 */
export function generateDeviceKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return der.subarray(-KEY_BYTES).toString('hex');
}

function createKeyFromSeed(seed: string): KeyObject {
  const key = Buffer.concat([PKCS8_PREFIX, Buffer.from(seed, 'hex')]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/**
 * Returns the public key that the server stores with the serial number, 32 bytes in hex.
 * @param seed 32 bytes in hex
 */
export function devicePublicKey(seed: string): string {
  const der = createPublicKey(createKeyFromSeed(seed)).export({ format: 'der', type: 'spki' });
  return der.subarray(-KEY_BYTES).toString('hex');
}

/**
 * Signs a message.
 * @param seed 32 bytes in hex
 * @returns an Ed25519 signature, 64 bytes
 */
export function signWithDeviceKey(seed: string, message: Uint8Array): Uint8Array {
  return new Uint8Array(sign(null, message, createKeyFromSeed(seed)));
}
