import type { Queries } from '../../db/database.ts';

/**
 * True if a recording was permanently deleted. It must not be created again, either from a session that is still on a
 * recorder or by an upload in progress.
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
