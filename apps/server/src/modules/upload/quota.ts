import type { CallData } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { Database, Queries } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

/** Enforces storage quotas. */
export interface Quota {
  /** Returns the number of bytes an account uses, and its quota. */
  usage(accountId: string): Promise<CallData<'user/storage'>>;
  /**
   * Returns the maximum size in bytes of the account's next object.
   * @throws CallError quotaExceeded if no quota remains; tooManyRequests if too many grants are open
   */
  maxUploadSize(accountId: string): Promise<number>;
  /** Returns whether at least this many bytes of the quota remain. */
  hasSpaceFor(queries: Queries, accountId: string, bytes: number): Promise<boolean>;
}

/** @param bytes maximum total size of an account's recordings, or null for no limit */
export function createQuota(db: Database, bytes: number | null, now: () => Date): Quota {
  async function usedBytes(queries: Queries, accountId: string): Promise<number> {
    const { sum } = await queries
      .selectFrom('recordings')
      .select(({ fn }) => fn.sum<number | null>('file_size').as('sum'))
      .where('account_id', '=', accountId)
      .where('object_key', 'is not', null)
      // Lost audio takes up no space, and may be uploaded again.
      .where('lost_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(sum ?? 0);
  }

  const remainingBytes = async (queries: Queries, accountId: string) =>
    bytes === null ? Number.POSITIVE_INFINITY : bytes - (await usedBytes(queries, accountId));

  return {
    async usage(accountId) {
      return { used_bytes: await usedBytes(db, accountId), quota_bytes: bytes };
    },

    async maxUploadSize(accountId) {
      const { open_grants: openGrants } = await db
        .selectFrom('upload_leaves')
        .leftJoin('recordings', 'recordings.object_key', 'upload_leaves.key')
        .select(({ fn }) => fn.countAll<number>().as('open_grants'))
        .where('upload_leaves.account_id', '=', accountId)
        .where('upload_leaves.expires_at', '>', now())
        .where('recordings.id', 'is', null)
        .executeTakeFirstOrThrow();
      if (openGrants >= limits.upload.openGrants) {
        throw new CallError('tooManyRequests', 'Too many open uploads. Finish some first.');
      }
      const remaining = await remainingBytes(db, accountId);
      if (remaining <= 0) throw new CallError('quotaExceeded');
      return remaining;
    },

    hasSpaceFor: async (queries, accountId, additionalBytes) =>
      (await remainingBytes(queries, accountId)) >= additionalBytes,
  };
}
