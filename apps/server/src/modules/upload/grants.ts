import type { UploadGrant } from '@linnet/contract';
import type { ObjectType } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../db/database.ts';
import type { ObjectStore, StorageGateway, UploadTerms } from '../../providers/storage/port.ts';
import { resumable } from './grant-tokens.ts';
import { cleanExt, kinds, prefixOf, typesOf, unspecific } from './kinds.ts';
import type { Quota } from './quota.ts';
import { resumablePath } from './resumable-routes.ts';

/** Long enough for an hour's recording over a slow line. */
const grantSeconds = 3600;
/** Tolerance for a phone whose clock is behind when it checks the start. */
const clockSkewSeconds = 60;

/** Issues upload grants and stores them. */
export interface UploadGrants {
  /** @throws CallError typeNotAccepted, quotaExceeded, tooManyRequests; StorageFailure when the store gives no keys */
  issue(accountId: string, type: ObjectType, ext: string, origin: string): Promise<UploadGrant>;
  /**
   * Reserves a key for an object that the server itself stores for an account.
   * @throws CallError typeNotAccepted
   */
  take(accountId: string, type: ObjectType, ext: string): Promise<UploadTerms>;
}

export interface UploadGrantsParts {
  readonly quota: Quota;
  readonly db: Database;
  readonly store: ObjectStore;
  readonly gateway: StorageGateway;
  readonly sessionKey: Uint8Array;
  readonly now: () => Date;
}

export function createUploadGrants({
  db,
  store,
  gateway,
  quota,
  sessionKey,
  now,
}: UploadGrantsParts): UploadGrants {
  async function take(accountId: string, type: ObjectType, rawExt: string): Promise<UploadTerms> {
    const ext = cleanExt(rawExt);
    const kind = kinds[type];
    const types = typesOf(kind, ext);
    const maxSize = Math.min(kind.maxSize, await quota.allow(accountId));
    const seconds = Math.floor(now().getTime() / 1000);
    const end = seconds + grantSeconds;
    const key = `${prefixOf(kind, accountId)}${uuidv7()}.${ext}`;
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
    const start = seconds - clockSkewSeconds;
    return { key, maxSize, types: [...types, unspecific], start, end };
  }

  return {
    take,

    async issue(accountId, type, ext, origin) {
      const terms = await take(accountId, type, ext);
      const { key, maxSize, start, end } = terms;
      const uploadUrl = gateway.address(origin);
      return {
        provider: store.id,
        bucket: gateway.bucket,
        cosRegion: gateway.region,
        startTime: start,
        expiredTime: end,
        expiration: new Date(end * 1000).toISOString(),
        ...(await gateway.admit(terms)),
        key,
        uploadUrl,
        url: `${uploadUrl}/${key}`,
        maxSize,
        resumable: { url: `${origin}${resumablePath}`, token: resumable.seal(sessionKey, terms) },
      };
    },
  };
}
