/**
 * Encrypts a recorder's binding key for the database, with AES-256-GCM. The row is part of the authenticated data, so
 * an encrypted key is useless in any other row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Identifies the row that a key is encrypted for. */
export interface KeyOwner {
  readonly accountId: string;
  readonly sn: string;
}

const associatedData = ({ accountId, sn }: KeyOwner) =>
  Buffer.from(JSON.stringify([accountId, sn]));

/** Encrypts a key. Returns the nonce, the ciphertext and the tag. */
export function sealKey(secret: Uint8Array, owner: KeyOwner, key: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(owner));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a key. Returns null if it was encrypted with another secret or for another row. */
export function openKey(secret: Uint8Array, owner: KeyOwner, sealed: Uint8Array): Buffer | null {
  const [nonce, tag] = [sealed.subarray(0, nonceBytes), sealed.subarray(-tagBytes)];
  const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(owner));
  decipher.setAuthTag(tag);
  const key = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([key, decipher.final()]);
  } catch {
    // In this block, only `final` throws, when the tag doesn't match.
    return null;
  }
}
