import { timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ObjectStore, StorageGateway } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { Keys } from '../../secrets.ts';
import { hmac } from '../../secrets.ts';
import type { AllowedPost } from './cos-policy.ts';
import { CosRefusal, verifyPost } from './cos-policy.ts';
import { newSecretId, secretKeyOf, session } from './grant-tokens.ts';

/** Bucket and path of the embedded store. */
const bucket = 'linnet';
export const storePath = `/store/${bucket}`;

/** Long enough to listen to a long recording with pauses. */
const addressHours = 6;
const hour = 3600;

/** The gateway of a store that only this server can access: Tencent COS forms with the server's own signatures. */
export interface EmbeddedGateway extends StorageGateway {
  /** @throws CosRefusal when the form is not allowed */
  allow(fields: ReadonlyMap<string, string>, fileType: string, now: Date): AllowedPost;
  /** The session of a valid signed URL; '' for an invalid one. */
  sessionOf(address: string): string;
}

export function createEmbeddedGateway(store: ObjectStore, keys: Keys): EmbeddedGateway {
  const seal = (key: string, expires: string, session: string) =>
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
          sessionToken: session.seal(keys.uploadSession, { ...terms, secretId }),
        },
      };
    },

    sign(origin, key, _mediaType, now, session = '') {
      // The end is rounded to the hour, so that the address stays the same and the browser's cache valid.
      const end = Math.ceil(now.getTime() / 1000 / hour + addressHours) * hour;
      const signature = seal(key, String(end), session).toString('base64url');
      return `${address(origin)}/${key}?e=${end}&n=${session}&s=${signature}`;
    },

    sessionOf: (given) => new URLSearchParams(given.split('?', 2)[1] ?? '').get('n') ?? '',

    verify(origin, given, now) {
      const base = `${address(origin)}/`;
      const [path = '', query = ''] = given.split('?', 2);
      if (!path.startsWith(base)) return null;
      const key = path.slice(base.length);
      const parameters = new URLSearchParams(query);
      const values = ['e', 's', 'n'].map((name) => parameters.getAll(name));
      if (values.some(({ length }) => length > 1)) return null;
      const [end = '', signature = '', session = ''] = values.map(([value]) => value);
      const [sealed, expected] = [Buffer.from(signature, 'base64url'), seal(key, end, session)];
      const good = sealed.length === expected.length && timingSafeEqual(sealed, expected);
      return good && Number(end) * 1000 > now.getTime() ? key : null;
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
