import type { Queries } from '../../db/database.ts';

/**
 * Returns whether a recording was permanently deleted. It must not be created again by an upload in progress, or from a
 * session that is still on a recorder.
 */
export async function isDeleted(
  queries: Queries,
  accountId: string,
  clientFlag: string,
): Promise<boolean> {
  const tombstone = await queries
    .selectFrom('tombstones')
    .select('rev')
    .where('account_id', '=', accountId)
    .where('client_flag', '=', clientFlag)
    .executeTakeFirst();
  return tombstone !== undefined;
}
