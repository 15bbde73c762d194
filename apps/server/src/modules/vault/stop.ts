import type { Transaction } from '../../db/database.ts';

/**
 * Stops the vaults of an account that is being closed. Deletes the password of a WebDAV server immediately. The files
 * there remain, because they belong to the user. A job erases the folder on this server.
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
 * Stops WebDAV folders after the account's password was changed, because an intruder who knew the old password may have
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
