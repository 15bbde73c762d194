import type { Queries } from '../../db/database.ts';

/**
 * Whether a recording was deleted for good: a session still on a recorder, and an upload that was under
 * way, must not bring it back.
 */
export async function isDeleted(
  queries: Queries,
  accountId: string,
  clientFlag: string,
): Promise<boolean> {
  const found = await queries
    .selectFrom('tombstones')
    .select('rev')
    .where('account_id', '=', accountId)
    .where('client_flag', '=', clientFlag)
    .executeTakeFirst();
  return found !== undefined;
}
