import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ensureSecretFile, secretFiles } from '../../secrets.ts';
import { FirmwareFailure } from './failure.ts';

/** PKCS #8 (RFC 8410, 7) up to the 32 bytes that are an Ed25519 key. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key that signs firmware: from a PEM file, or the one that DATA_DIR keeps, made at first use.
 * @throws FirmwareFailure when the file holds no Ed25519 private key
 */
export async function signingKey(dataDir: string, pem?: string): Promise<KeyObject> {
  if (pem === undefined) {
    const seed = Buffer.from(await ensureSecretFile(dataDir, secretFiles.firmware), 'hex');
    const key = Buffer.concat([pkcs8Head, seed]);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  }
  const text = await readFile(pem);
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw new FirmwareFailure(`${pem} holds no private key (PEM)`, { cause });
  }
  throw new FirmwareFailure(`${pem} holds a key that is not Ed25519`);
}

/** What recorders check signatures with: 32 bytes, base64. */
export function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** Signs model, version and content, so that none of them can be put beside another. */
export function signFirmware(
  key: KeyObject,
  projectCode: string,
  version: string,
  image: Uint8Array,
): string {
  const head = Buffer.from(`Linnet firmware\n${projectCode}\n${version}\n`);
  return sign(null, Buffer.concat([head, image]), key).toString('base64');
}
