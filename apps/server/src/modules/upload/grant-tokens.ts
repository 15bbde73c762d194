import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { UploadTerms } from '../../providers/storage/port.ts';
import { hmac } from '../../secrets.ts';

/**
 * The terms of a form upload, which the server signs and gives to the client as a session token. The policy signed by
 * the client can only narrow these terms.
 */
export interface SignedGrant extends UploadTerms {
  /** ID of the secret key that the client signs its form with. */
  readonly secretId: string;
}

const termsSchema = z.object({
  key: z.string(),
  maxSize: z.int(),
  types: z.tuple([z.string()], z.string()),
  start: z.int(),
  end: z.int(),
});
const grantSchema = termsSchema.extend({ secretId: z.string() });

export function newSecretId(): string {
  return `LN${randomBytes(12).toString('hex')}`;
}

/** Derives a client's secret key from its ID, so the key doesn't have to be stored. */
export function deriveSecretKey(key: Uint8Array, secretId: string): string {
  return hmac(key, `secret ${secretId}`).toString('base64url');
}

/** Session token for a form upload to the embedded store. */
export const sessionToken = createTokenFormat<SignedGrant>('session', grantSchema);

/** Token for a resumable upload to any store. */
export const resumableToken = createTokenFormat<UploadTerms>('resumable', termsSchema);

/** Creates functions that seal and open signed tokens. A token sealed for one purpose is invalid for every other. */
function createTokenFormat<Value>(purpose: string, schema: z.ZodType<Value>) {
  const createSignature = (key: Uint8Array, body: string) => hmac(key, `${purpose} ${body}`);
  return {
    seal(key: Uint8Array, value: Value): string {
      const body = Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${body}.${createSignature(key, body).toString('base64url')}`;
    },

    /** Returns the value in a token, or null if the token wasn't sealed by this server. */
    open(key: Uint8Array, token: string): Value | null {
      const [body = '', signature = '', ...excess] = token.split('.');
      const expected = createSignature(key, body);
      const actualSignature = Buffer.from(signature, 'base64url');
      if (excess.length > 0 || actualSignature.length !== expected.length) return null;
      if (!timingSafeEqual(actualSignature, expected)) return null;
      return schema.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    },
  };
}
