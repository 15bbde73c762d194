import { createReadStream } from 'node:fs';
import { createSignedAddresses } from '../../http/signed-addresses.ts';
import type { ObjectStore, StorageGateway } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { Keys } from '../../secrets.ts';
import type { AllowedPost } from './cos-policy.ts';
import { CosRefusal, verifyPost } from './cos-policy.ts';
import { deriveSecretKey, newSecretId, sessionToken } from './grant-tokens.ts';

/** Bucket and path of the embedded store. */
const bucket = 'linnet';
export const storePath = `/store/${bucket}`;

/**
 * The storage gateway of the embedded store, which clients can access only through this server. It accepts Tencent COS
 * forms, with credentials issued by the server itself.
 */
export interface EmbeddedGateway extends StorageGateway {
  /**
   * Verifies an upload form's fields.
   * @throws CosRefusal if the form isn't allowed
   */
  allow(fields: ReadonlyMap<string, string>, fileType: string, now: Date): AllowedPost;
  /** Returns the ID of the session that a verified URL was signed for, or '' if it wasn't signed for a session. */
  parseSession(url: string): string;
}

export function createEmbeddedGateway(store: ObjectStore, keys: Keys): EmbeddedGateway {
  const addresses = createSignedAddresses(storePath, keys.objectAddress);
  const address = (origin: string) => `${origin}${storePath}`;
  const allow: EmbeddedGateway['allow'] = (fields, fileType, now) =>
    verifyPost(keys.uploadSession, bucket, fields, fileType, now);

  return {
    bucket,
    region: 'local',
    address,
    allow,

    async permitUpload(terms) {
      const secretId = newSecretId();
      return {
        credentials: {
          tmpSecretId: secretId,
          tmpSecretKey: deriveSecretKey(keys.uploadSession, secretId),
          sessionToken: sessionToken.seal(keys.uploadSession, { ...terms, secretId }),
        },
      };
    },

    sign: (origin, key, _mediaType, now, session = '') => addresses.sign(origin, key, now, session),
    parseSession: addresses.parseSession,
    verify: addresses.verify,

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
