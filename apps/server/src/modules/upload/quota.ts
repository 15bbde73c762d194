import type { CallData } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import type { Database, Queries } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

/** Storage limits and usage of an account. */
export interface Quota {
  usage(accountId: string): Promise<CallData<'user/storage'>>;
  /**
   * The maximum bytes of the next object.
   * @throws CallError quotaExceeded if nothing is left; tooManyRequests with too many open upload grants
   */
  allow(accountId: string): Promise<number>;
  /** Whether the quota allows this many additional bytes. */
  hasRoomFor(queries: Queries, accountId: string, bytes: number): Promise<boolean>;
}

/** @param bytes maximum total size of an account's recordings; null for no limit */
export function createQuota(db: Database, bytes: number | null, now: () => Date): Quota {
  async function used(queries: Queries, accountId: string): Promise<number> {
    const { sum } = await queries
      .selectFrom('recordings')
      .select(({ fn }) => fn.sum<number | null>('file_size').as('sum'))
      .where('account_id', '=', accountId)
      .where('object_key', 'is not', null)
      .executeTakeFirstOrThrow();
    return Number(sum ?? 0);
  }

  const left = async (queries: Queries, accountId: string) =>
    bytes === null ? Number.POSITIVE_INFINITY : bytes - (await used(queries, accountId));

  return {
    async usage(accountId) {
      return { used_bytes: await used(db, accountId), quota_bytes: bytes };
    },

    async allow(accountId) {
      const { open } = await db
        .selectFrom('upload_leaves')
        .leftJoin('recordings', 'recordings.object_key', 'upload_leaves.key')
        .select(({ fn }) => fn.countAll<number>().as('open'))
        .where('upload_leaves.account_id', '=', accountId)
        .where('upload_leaves.expires_at', '>', now())
        .where('recordings.id', 'is', null)
        .executeTakeFirstOrThrow();
      if (open >= limits.upload.openGrants) {
        throw new CallError('tooManyRequests', 'Too many open uploads. Finish some first.');
      }
      const room = await left(db, accountId);
      if (room <= 0) throw new CallError('quotaExceeded');
      return room;
    },

    hasRoomFor: async (queries, accountId, more) => (await left(queries, accountId)) >= more,
  };
}
