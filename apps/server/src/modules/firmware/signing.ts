import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ensureSecretFile, secretFiles } from '../../secrets.ts';
import { FirmwareFailure } from './failure.ts';

/** DER prefix of an Ed25519 private key in PKCS #8, up to the 32 key bytes (RFC 8410, section 7). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Loads the firmware signing key from a PEM file or from DATA_DIR, where it is created on first use.
 * @throws FirmwareFailure if the file contains no Ed25519 private key
 */
export async function signingKey(dataDir: string, pem?: string): Promise<KeyObject> {
  if (pem === undefined) {
    const seed = Buffer.from(await ensureSecretFile(dataDir, secretFiles.firmware), 'hex');
    const key = Buffer.concat([pkcs8Prefix, seed]);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  }
  const text = await readFile(pem);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new FirmwareFailure(`${pem} contains no private key (PEM)`, { cause });
  }
  throw new FirmwareFailure(`${pem} contains a private key other than Ed25519`);
}

/** Returns the public key that recorders verify signatures with: 32 bytes in base64. */
export function getPublicKey(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Signs the model, version and content together, so none of them can be replaced separately. */
export function signFirmware(
  key: KeyObject,
  projectCode: string,
  version: string,
  image: Uint8Array,
): string {
  const prefix = Buffer.from(`Linnet firmware\n${projectCode}\n${version}\n`);
  return sign(null, Buffer.concat([prefix, image]), key).toString('base64');
}
