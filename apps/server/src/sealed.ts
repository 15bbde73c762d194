/**
 * Encrypts secrets for the database, with AES-256-GCM. The row is part of the authenticated data (AEAD), so an
 * encrypted secret can't be decrypted in any other row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The parts that identify a row. */
type RowName = readonly string[];

const associatedData = (row: RowName) => Buffer.from(JSON.stringify(row));

/** Encrypts a secret. Returns the nonce, the ciphertext and the tag. */
export function seal(key: Uint8Array, row: RowName, plain: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(row));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts a secret. Returns null if it was encrypted with a different key or for another row. */
export function unseal(key: Uint8Array, row: RowName, sealed: Uint8Array): Buffer | null {
  const [nonce, tag] = [sealed.subarray(0, nonceBytes), sealed.subarray(-tagBytes)];
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(row));
  decipher.setAuthTag(tag);
  const plaintext = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
  try {
    return Buffer.concat([plaintext, decipher.final()]);
  } catch {
    // In this block, only `final` throws, when the tag doesn't match.
    return null;
  }
}
