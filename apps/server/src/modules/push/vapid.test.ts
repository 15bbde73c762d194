import { createECDH } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveVapidKeys } from './vapid.ts';

it('derives the same valid keys from the same seed', () => {
  for (const byte of [0, 1, 127, 255]) {
    const seed = new Uint8Array(48).fill(byte);
    const { publicKey, privateKey } = deriveVapidKeys(seed);
    expect(deriveVapidKeys(seed)).toEqual({ publicKey, privateKey });
    expect(privateKey).toMatch(/^[\w-]{43}$/);
    expect(publicKey).toMatch(/^B[\w-]{86}$/);
    const other = createECDH('prime256v1');
    const point = other.generateKeys();
    const ecdh = createECDH('prime256v1');
    ecdh.setPrivateKey(privateKey, 'base64url');
    expect(ecdh.computeSecret(point)).toEqual(other.computeSecret(publicKey, 'base64url'));
  }
});
