/** Finds outdated vaults, and adds missing vaults in VAULT_DIR. */
import { sanitizeName } from '@linnet/vault/file-name';
import { type SqlBool, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';

export interface QueueVaultsDependencies {
  readonly db: Database;
  readonly queue: Queue;
  /** The value of VAULT_DIR, or null if it isn't set. */
  readonly root: string | null;
  readonly now: () => Date;
}

/** Maximum number of vaults added or queued per job. The next job runs a minute later. */
const maxVaults = 500;
/** Time after which a queued job is considered lost, in milliseconds. */
const lostMs = 15 * 60_000;

/** Time after which failed files are retried even if nothing has changed, in milliseconds. */
const retryFilesMs = 15 * 60_000;

/**
 * Queues a job for each vault whose account has changed or that has files to retry. Skips vaults that are stopped,
 * paused after a failure, or already being updated.
 */
export async function queueDueVaults(
  deps: QueueVaultsDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { db, queue, root, now } = deps;
  if (root !== null) {
    await startOver(db, root);
    await addFolders(deps, root, signal);
  }
  const lostBefore = new Date(now().getTime() - lostMs);
  const dueVaults = await db
    .selectFrom('vaults')
    .innerJoin('accounts', 'accounts.id', 'vaults.account_id')
    .select('vaults.id')
    .where('accounts.closed_at', 'is', null)
    .where(({ or, and, exists, eb, selectFrom }) =>
      or([
        sql<SqlBool>`vaults.rev < accounts.rev`,
        and([
          eb('written_at', '<=', new Date(now().getTime() - retryFilesMs)),
          exists(
            selectFrom('vault_files')
              .select('vault_id')
              .whereRef('vault_id', '=', 'vaults.id')
              .where('vault_files.failure', 'is not', null)
              .where('vault_files.failure', '!=', 'refused'),
          ),
        ]),
      ]),
    )
    .where('stopped_at', 'is', null)
    .where(({ or, eb }) => or([eb('kind', '=', 'webdav'), eb('root', '=', root)]))
    .where(({ or, eb }) => or([eb('next_at', 'is', null), eb('next_at', '<=', now())]))
    .where(({ or, eb }) => or([eb('running_until', 'is', null), eb('running_until', '<=', now())]))
    .where(({ or, eb }) => or([eb('queued_at', 'is', null), eb('queued_at', '<=', lostBefore)]))
    .orderBy(sql`coalesce(written_at, failed_at, vaults.created_at)`)
    .limit(maxVaults)
    .execute();
  for (const { id } of dueVaults) {
    if (signal.aborted) return;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('vaults').set({ queued_at: now() }).where('id', '=', id).execute();
      await queue.enqueue(trx, 'update-vault', { vaultId: id });
    });
  }
}

/**
 * Queues a job for a vault immediately, even if the vault is up to date or paused, unless a job is queued or running.
 */
export async function queueVault(
  { db, queue, now }: Omit<QueueVaultsDependencies, 'root'>,
  vaultId: string,
): Promise<void> {
  const lostBefore = new Date(now().getTime() - lostMs);
  await db.transaction().execute(async (trx) => {
    const vault = await trx
      .updateTable('vaults')
      .set({ queued_at: now() })
      .where('id', '=', vaultId)
      .where('stopped_at', 'is', null)
      .where(({ or, eb }) =>
        or([eb('running_until', 'is', null), eb('running_until', '<=', now())]),
      )
      .where(({ or, eb }) => or([eb('queued_at', 'is', null), eb('queued_at', '<=', lostBefore)]))
      .returning('id')
      .executeTakeFirst();
    if (vault) await queue.enqueue(trx, 'update-vault', { vaultId });
  });
}

/** Starts over after VAULT_DIR has changed. The files in the previous folder remain. */
async function startOver(db: Database, root: string): Promise<void> {
  const moved = await db
    .selectFrom('vaults')
    .innerJoin('accounts', 'accounts.id', 'vaults.account_id')
    .select('vaults.id')
    .where('kind', '=', 'folder')
    .where('root', '!=', root)
    // Keep the vaults of closed accounts, whose folders are erased in the previous location.
    .where('accounts.closed_at', 'is', null)
    .limit(maxVaults)
    .execute();
  for (const { id } of moved) {
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('vaults')
        .set({ root, rev: 0, running_until: null, next_at: null })
        .where('id', '=', id)
        .execute();
      await trx.deleteFrom('vault_files').where('vault_id', '=', id).execute();
    });
  }
}

/** Adds a vault for each account without one. */
async function addFolders(
  { db, now }: QueueVaultsDependencies,
  root: string,
  signal: AbortSignal,
): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('closed_at', 'is', null)
    // Skip accounts without any data.
    .where('rev', '>', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('vaults')
            .select('vaults.id')
            .whereRef('vaults.account_id', '=', 'accounts.id')
            .where('kind', '=', 'folder'),
        ),
      ),
    )
    .limit(maxVaults)
    .execute();
  for (const { id, email } of accounts) {
    // The name may already be taken by another account, for example by an email address that differs only in case.
    for (const folder of new Set([folderName(id, email), id])) {
      if (signal.aborted) return;
      const added = await db
        .insertInto('vaults')
        .values({
          id: uuidv7(),
          account_id: id,
          kind: 'folder',
          root,
          place: folder,
          created_at: now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      if (added) break;
    }
  }
}

/** Matches email addresses that can be used as folder names on all systems. */
const plainAddress = /^[a-z0-9][a-z0-9._+-]*@[a-z0-9][a-z0-9.-]*[a-z0-9]$/;

/** Returns the name of an account's folder: its email address, or its ID if the address isn't a valid folder name. */
function folderName(accountId: string, email: string): string {
  const maxBytes = 120;
  return plainAddress.test(email) && sanitizeName(email, maxBytes) === email ? email : accountId;
}
