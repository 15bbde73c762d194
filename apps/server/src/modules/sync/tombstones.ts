import type { Queries } from '../../db/database.ts';

/**
 * Whether a recording was permanently deleted. Neither a session still on a recorder nor an upload in progress
 * may restore it.
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
