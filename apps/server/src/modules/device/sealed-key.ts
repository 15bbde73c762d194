/** Encrypts a recorder's binding key for the database with AES-256-GCM, bound to its own row. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Identifies the row that a key is sealed for. */
export interface KeyPlace {
  readonly accountId: string;
  readonly sn: string;
}

const placeOf = ({ accountId, sn }: KeyPlace) => Buffer.from(JSON.stringify([accountId, sn]));

/** @returns nonce, ciphertext, tag */
export function sealKey(secret: Uint8Array, place: KeyPlace, key: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(placeOf(place));
  return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
}

/** @returns null if it was sealed with another secret or for another row */
export function openKey(secret: Uint8Array, place: KeyPlace, sealed: Uint8Array): Buffer | null {
  const [nonce, tag] = [sealed.subarray(0, NONCE_BYTES), sealed.subarray(-TAG_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(placeOf(place));
  decipher.setAuthTag(tag);
  const key = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([key, decipher.final()]);
  } catch {
    // `final` throws only if the tag does not match.
    return null;
  }
}
