import { seal, unseal } from '../../sealed.ts';

/**
 * Identifies the row that a binding key belongs to. Each key is encrypted for its row, so it can't be copied to another
 * row.
 */
export interface KeyOwner {
  readonly accountId: string;
  readonly sn: string;
}

const toRowKey = ({ accountId, sn }: KeyOwner) => [accountId, sn];

/** Encrypts a binding key for its row. */
export const sealKey = (secret: Uint8Array, owner: KeyOwner, key: Uint8Array): Buffer =>
  seal(secret, toRowKey(owner), key);

/** Decrypts a binding key, or returns null if it was encrypted with a different secret or for another row. */
export const openKey = (secret: Uint8Array, owner: KeyOwner, sealed: Uint8Array): Buffer | null =>
  unseal(secret, toRowKey(owner), sealed);
