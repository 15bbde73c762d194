import type { Transaction } from '../../db/database.ts';

/**
 * Stops the vaults of an account that is being closed. The password of a WebDAV server is deleted at once, and the files
 * there remain, because they are the owner's. The folder on this server is erased by a job.
 */
export async function stopVaults(trx: Transaction, accountId: string, now: Date): Promise<void> {
  await trx
    .deleteFrom('vaults')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'webdav')
    .execute();
  await trx
    .updateTable('vaults')
    .set({ stopped_at: now })
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Stops WebDAV folders after a change of the account's password, because someone who knew the former one may have
 * connected them.
 */
export async function stopVaultsAfterPassword(
  trx: Transaction,
  accountId: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('vaults')
    .set({ stopped_at: now, stopped_reason: 'password', running_until: null })
    .where('account_id', '=', accountId)
    .where('kind', '=', 'webdav')
    .where('stopped_at', 'is', null)
    .execute();
}
