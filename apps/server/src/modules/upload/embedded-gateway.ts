import { timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ObjectStore, StorageGateway } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { Keys } from '../../secrets.ts';
import { hmac } from '../../secrets.ts';
import type { AllowedPost } from './cos-policy.ts';
import { CosRefusal, verifyPost } from './cos-policy.ts';
import { newSecretId, secretKeyOf, sessionToken } from './grant-tokens.ts';

/** The embedded store's bucket and path. */
const bucket = 'linnet';
export const storePath = `/store/${bucket}`;

/** Minimum lifetime of a signed URL: long enough to listen to a long recording with pauses. */
const addressHours = 6;
const hourSeconds = 3600;

/**
 * The gateway of the embedded store, which clients can only access through this server. It accepts the forms of Tencent
 * COS, with credentials and signatures issued by the server itself.
 */
export interface EmbeddedGateway extends StorageGateway {
  /**
   * Verifies an upload form's fields.
   * @throws CosRefusal if the form isn't allowed
   */
  allow(fields: ReadonlyMap<string, string>, fileType: string, now: Date): AllowedPost;
  /** Returns the session that a verified URL was signed for; '' if none. */
  sessionOf(address: string): string;
}

export function createEmbeddedGateway(store: ObjectStore, keys: Keys): EmbeddedGateway {
  const signatureOf = (key: string, expires: string, session: string) =>
    hmac(keys.objectAddress, `${expires}\n${key}\n${session}`);
  const address = (origin: string) => `${origin}${storePath}`;
  const allow: EmbeddedGateway['allow'] = (fields, fileType, now) =>
    verifyPost(keys.uploadSession, bucket, fields, fileType, now);

  return {
    bucket,
    region: 'local',
    address,
    allow,

    async admit(terms) {
      const secretId = newSecretId();
      return {
        credentials: {
          tmpSecretId: secretId,
          tmpSecretKey: secretKeyOf(keys.uploadSession, secretId),
          sessionToken: sessionToken.seal(keys.uploadSession, { ...terms, secretId }),
        },
      };
    },

    sign(origin, key, _mediaType, now, session = '') {
      // The expiry is rounded up to the hour, so that the URL stays the same and browsers can use their cached copy.
      const end = Math.ceil(now.getTime() / 1000 / hourSeconds + addressHours) * hourSeconds;
      const encodedSignature = signatureOf(key, String(end), session).toString('base64url');
      return `${address(origin)}/${key}?e=${end}&n=${session}&s=${encodedSignature}`;
    },

    sessionOf: (url) => new URLSearchParams(url.split('?', 2)[1] ?? '').get('n') ?? '',

    verify(origin, url, now) {
      const base = `${address(origin)}/`;
      const [path = '', query = ''] = url.split('?', 2);
      if (!path.startsWith(base)) return null;
      const key = path.slice(base.length);
      const parameters = new URLSearchParams(query);
      const values = ['e', 's', 'n'].map((name) => parameters.getAll(name));
      if (values.some(({ length }) => length > 1)) return null;
      const [end = '', encodedSignature = '', session = ''] = values.map(([value]) => value);
      const [signature, expected] = [
        Buffer.from(encodedSignature, 'base64url'),
        signatureOf(key, end, session),
      ];
      const isSignatureValid =
        signature.length === expected.length && timingSafeEqual(signature, expected);
      return isSignatureValid && Number(end) * 1000 > now.getTime() ? key : null;
    },

    async post(form, { path, mediaType }, now) {
      try {
        const { grant, maxSize } = allow(new Map(Object.entries(form)), mediaType, now);
        await store.put(grant.key, createReadStream(path), { maxBytes: maxSize });
      } catch (error) {
        if (!(error instanceof CosRefusal)) throw error;
        throw new StorageFailure('refused', error.code, error);
      }
    },
  };
}
