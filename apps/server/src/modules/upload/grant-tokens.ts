import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { UploadTerms } from '../../providers/storage/port.ts';
import { hmac } from '../../secrets.ts';

/**
 * The terms of one form, signed by the server and carried by the client as its session token. The
 * client's own policy can only narrow them.
 */
export interface SignedGrant extends UploadTerms {
  /** Identifies the key that the client signs its form with. */
  readonly secretId: string;
}

const terms = z.object({
  key: z.string(),
  maxSize: z.int(),
  types: z.tuple([z.string()], z.string()),
  start: z.int(),
  end: z.int(),
});
const grant = terms.extend({ secretId: z.string() });

export function newSecretId(): string {
  return `LN${randomBytes(12).toString('hex')}`;
}

/** The key a client signs with. It is derived from the id, so nothing is stored. */
export function secretKeyOf(key: Uint8Array, secretId: string): string {
  return hmac(key, `secret ${secretId}`).toString('base64url');
}

/** The session token of a form for the embedded store. */
export const session = sealedToken<SignedGrant>('session', grant);

/** The token of a resumable upload, for any store. */
export const resumable = sealedToken<UploadTerms>('resumable', terms);

/** Seals and opens values of one shape. A token for one use is invalid for any other. */
function sealedToken<Value>(use: string, shape: z.ZodType<Value>) {
  const sealOf = (key: Uint8Array, body: string) => hmac(key, `${use} ${body}`);
  return {
    seal(key: Uint8Array, value: Value): string {
      const body = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${body}.${sealOf(key, body).toString('base64url')}`;
    },

    /** The value in a token, or null for one that this server did not seal. */
    open(key: Uint8Array, token: string): Value | null {
      const [body = '', seal = '', ...rest] = token.split('.');
      const expected = sealOf(key, body);
      const given = Buffer.from(seal, 'base64url');
      if (rest.length > 0 || given.length !== expected.length) return null;
      if (!timingSafeEqual(given, expected)) return null;
      return shape.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    },
  };
}
