import type { AudioKind } from '@linnet/audio/kind';
import type { UploadGrant } from '@linnet/contract';
import type { ObjectType } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../db/database.ts';
import type { ObjectStore, StorageGateway, UploadTerms } from '../../providers/storage/port.ts';
import { resumableToken } from './grant-tokens.ts';
import { genericMediaType, keyPrefix, kinds, mediaTypesFor, normalizeExtension } from './kinds.ts';
import type { Quota } from './quota.ts';
import { resumablePath } from './resumable-routes.ts';

/** Lifetime of a grant. Long enough to upload an hour of audio over a slow connection. */
const grantSeconds = 3600;
/** How far a grant's start time is backdated, to tolerate phones whose clock is behind. */
const clockSkewSeconds = 60;

/** Issues upload grants. Grants are stored, because the server accepts objects only under keys it has issued. */
export interface UploadGrants {
  /**
   * Issues a grant for one new object.
   * @throws CallError typeNotAccepted, quotaExceeded, tooManyRequests; StorageFailure if the storage provider doesn't
   *   issue credentials
   */
  issue(accountId: string, type: ObjectType, ext: string, origin: string): Promise<UploadGrant>;
  readonly reserveKey: ReserveKey;
}

/**
 * Reserves a key for an object that the server itself stores on behalf of an account.
 * @throws CallError typeNotAccepted, quotaExceeded
 */
export type ReserveKey = (accountId: string, type: ObjectType, ext: string) => Promise<UploadTerms>;

export interface UploadGrantsDependencies {
  readonly quota: Quota;
  readonly db: Database;
  readonly store: ObjectStore;
  readonly gateway: StorageGateway;
  readonly sessionKey: Uint8Array;
  /** Kinds of audio that the server can decode. */
  readonly audioKinds: readonly AudioKind[];
  readonly now: () => Date;
}

export function createKeyReservation({
  db,
  quota,
  audioKinds,
  now,
}: Pick<UploadGrantsDependencies, 'db' | 'quota' | 'audioKinds' | 'now'>): ReserveKey {
  return async (accountId, type, extension) => {
    const ext = normalizeExtension(extension);
    const kind = kinds[type];
    const types = mediaTypesFor(type, ext, audioKinds);
    const maxSize = Math.min(kind.maxSize, await quota.maxUploadSize(accountId));
    const nowSeconds = Math.floor(now().getTime() / 1000);
    const end = nowSeconds + grantSeconds;
    const key = `${keyPrefix(kind, accountId)}${uuidv7()}.${ext}`;
    await db
      .insertInto('upload_leaves')
      .values({
        key,
        account_id: accountId,
        type,
        ext,
        max_size: maxSize,
        created_at: now(),
        expires_at: new Date(end * 1000),
      })
      .execute();
    const start = nowSeconds - clockSkewSeconds;
    return { key, maxSize, types: [...types, genericMediaType], start, end };
  };
}

export function createUploadGrants(deps: UploadGrantsDependencies): UploadGrants {
  const { store, gateway, sessionKey } = deps;
  const reserveKey = createKeyReservation(deps);
  return {
    reserveKey,

    async issue(accountId, type, ext, origin) {
      const terms = await reserveKey(accountId, type, ext);
      const { key, maxSize, start, end } = terms;
      const uploadUrl = gateway.address(origin);
      return {
        provider: store.id,
        bucket: gateway.bucket,
        cosRegion: gateway.region,
        startTime: start,
        expiredTime: end,
        expiration: new Date(end * 1000).toISOString(),
        ...(await gateway.permitUpload(terms)),
        key,
        uploadUrl,
        url: `${uploadUrl}/${key}`,
        maxSize,
        resumable: {
          url: `${origin}${resumablePath}`,
          token: resumableToken.seal(sessionKey, terms),
        },
      };
    },
  };
}
