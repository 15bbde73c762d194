import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { discardObjects, maxUploadOverrunMs } from '../modules/upload/discard.ts';
import { keyPrefixesOfAccount } from '../modules/upload/kinds.ts';
import { farewellMail } from '../modules/user/mails.ts';
import { eraseVaultFolder } from '../modules/vault/erase-folder.ts';
import type { Mailer } from '../providers/mail/port.ts';
import { MailFailure } from '../providers/mail/port.ts';
import type { ObjectStore } from '../providers/storage/port.ts';
import type { JobHandler } from './jobs.ts';
import type { Queue } from './queue.ts';

export interface EraseAccountDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly mailer: Omit<Mailer, 'verify'>;
  /** Folder with the accounts' vaults, or null if the server has none. */
  readonly vaultRoot: string | null;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Creates the "erase-account" job. It erases all data of a closed account, deleting objects before the rows that
 * reference them, and emails a confirmation. It can be killed at any point and rerun. Orders are kept without an
 * account, because invoices must be retained.
 */
export function eraseAccountJob(deps: EraseAccountDependencies): JobHandler<'erase-account'> {
  const { db, queue, store, mailer, log, now } = deps;

  return async ({ accountId }, signal) => {
    const account = await db
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('closed_at', 'is not', null)
      .executeTakeFirst();
    if (account) {
      for (const prefix of keyPrefixesOfAccount(accountId)) {
        for await (const { key } of store.list(prefix)) {
          signal.throwIfAborted();
          await store.delete(key);
        }
      }
      await eraseVaultFolder(deps, accountId);
      await deleteRows(accountId);
    }
    await sendFarewell(accountId);
  };

  async function deleteRows(accountId: string): Promise<void> {
    await db.transaction().execute(async (trx) => {
      // Upload grants that are still valid could store unreferenced objects, so delete their objects later.
      const openGrants = await trx
        .selectFrom('upload_leaves')
        .select('key')
        .where('account_id', '=', accountId)
        .where('expires_at', '>', new Date(now().getTime() - maxUploadOverrunMs))
        .execute();
      await discardObjects(
        trx,
        queue,
        openGrants.map(({ key }) => key),
        now(),
      );
      await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
    });
    log.info({ accountId }, 'account erased');
  }

  async function sendFarewell(accountId: string): Promise<void> {
    const farewell = await db
      .selectFrom('farewells')
      .select(['email', 'language'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!farewell) return;
    try {
      await mailer.send(farewellMail(farewell.email, farewell.language));
    } catch (error) {
      // If the recipient was rejected, there is no point in retrying.
      if (!(error instanceof MailFailure) || error.code !== 'refused') throw error;
      log.warn({ accountId }, 'account closing mail rejected');
    }
    await db.deleteFrom('farewells').where('account_id', '=', accountId).execute();
  }
}
