import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { hmac } from '../../secrets.ts';

/**
 * What the server allows one upload, signed by it and carried by the client as the session token. The
 * client's own policy can only narrow it.
 */
export interface Leave {
  readonly key: string;
  /** Bytes. */
  readonly maxSize: number;
  /** Media types the file may be declared as. */
  readonly types: readonly string[];
  /** Unix seconds. */
  readonly start: number;
  /** Unix seconds. */
  readonly end: number;
  readonly secretId: string;
}

const shape = z.object({
  key: z.string(),
  maxSize: z.int(),
  types: z.array(z.string()),
  start: z.int(),
  end: z.int(),
  secretId: z.string(),
});

export function newSecretId(): string {
  return `LN${randomBytes(12).toString('hex')}`;
}

/** The key a client signs with; it follows from the id, so that nothing is stored. */
export function secretKeyOf(key: Uint8Array, secretId: string): string {
  return hmac(key, `secret ${secretId}`).toString('base64url');
}

export function sealLeave(key: Uint8Array, leave: Leave): string {
  const body = Buffer.from(JSON.stringify(leave)).toString('base64url');
  return `${body}.${hmac(key, `session ${body}`).toString('base64url')}`;
}

/** The leave in a session token, or null for a token that this server did not seal. */
export function openLeave(key: Uint8Array, token: string): Leave | null {
  const [body = '', seal = '', ...rest] = token.split('.');
  const expected = hmac(key, `session ${body}`);
  const given = Buffer.from(seal, 'base64url');
  if (rest.length > 0 || given.length !== expected.length) return null;
  if (!timingSafeEqual(given, expected)) return null;
  return shape.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
}
