import type { UploadLeave } from '@linnet/contract';
import type { ObjectType } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../db/database.ts';
import type { ObjectStore, StoreDoor, UploadTerms } from '../../providers/storage/port.ts';
import { cleanExt, kinds, prefixOf, typesOf, unspecific } from './kinds.ts';
import { resumable } from './leave.ts';
import type { Quota } from './quota.ts';
import { resumablePath } from './resumable-routes.ts';

/** Long enough for an hour's recording over a slow line. */
const leaveSeconds = 3600;
/** A phone's clock may be a little behind when it checks the start. */
const clockSkewSeconds = 60;

/** Gives out what one upload needs, and remembers that it did. */
export interface Leaves {
  /** @throws CallError typeNotAccepted, quotaExceeded, tooManyRequests; StorageFailure when the store gives no keys */
  issue(accountId: string, type: ObjectType, ext: string, origin: string): Promise<UploadLeave>;
  /**
   * A key for an object that the server itself stores for an account.
   * @throws CallError typeNotAccepted
   */
  take(accountId: string, type: ObjectType, ext: string): Promise<UploadTerms>;
}

export interface LeavesParts {
  readonly quota: Quota;
  readonly db: Database;
  readonly store: ObjectStore;
  readonly door: StoreDoor;
  readonly sessionKey: Uint8Array;
  readonly now: () => Date;
}

export function createLeaves({ db, store, door, quota, sessionKey, now }: LeavesParts): Leaves {
  async function take(accountId: string, type: ObjectType, rawExt: string): Promise<UploadTerms> {
    const ext = cleanExt(rawExt);
    const kind = kinds[type];
    const types = typesOf(kind, ext);
    const maxSize = Math.min(kind.maxSize, await quota.allow(accountId));
    const seconds = Math.floor(now().getTime() / 1000);
    const end = seconds + leaveSeconds;
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
      const uploadUrl = door.address(origin);
      return {
        provider: store.id,
        bucket: door.bucket,
        cosRegion: door.region,
        startTime: start,
        expiredTime: end,
        expiration: new Date(end * 1000).toISOString(),
        ...(await door.admit(terms)),
        key,
        uploadUrl,
        url: `${uploadUrl}/${key}`,
        maxSize,
        resumable: { url: `${origin}${resumablePath}`, token: resumable.seal(sessionKey, terms) },
      };
    },
  };
}
