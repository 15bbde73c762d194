import { lstat, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { VaultFailure } from '@linnet/vault/folder';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { JobPostponed } from '../../jobs/jobs.ts';
import { errnoOf } from './failure-details.ts';
import { oneAtATime } from './local-folder.ts';
import { hasFiles } from './update-vault.ts';

export interface EraseFolderParts {
  readonly db: Database;
  readonly vaultRoot: string | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** Time that the deletion of all files may take, in milliseconds. The next attempt continues. */
const maxDeleteMs = 10 * 60_000;

/**
 * Deletes the folder of a closed account in VAULT_DIR, with all that is in it.
 * @throws JobPostponed while a job writes to the folder, or its disk isn't mounted
 */
export async function eraseVaultFolder(
  { db, vaultRoot, log, now }: EraseFolderParts,
  accountId: string,
): Promise<void> {
  const vault = await db
    .selectFrom('vaults')
    .select(['id', 'place', 'root', 'running_until'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'folder')
    .executeTakeFirst();
  if (!vault || vault.root === null) return;
  // A stopped vault isn't taken by another job.
  if (vault.running_until !== null && vault.running_until > now()) {
    throw new JobPostponed('a file of the vault is being written');
  }
  const folder = path.join(vault.root, vault.place);
  try {
    const isFound = await oneAtATime(() => deleteContent(folder), maxDeleteMs);
    if (!isFound && (!(await exists(vault.root)) || (await hasFiles(db, vault.id)))) {
      // VAULT_DIR may also be the folder in which a disk is mounted, which is empty without the disk.
      if (vault.root === vaultRoot) throw new JobPostponed('the folder of the vault is missing');
      log.warn({ accountId }, 'the folder of an erased account is missing in a former VAULT_DIR');
      return;
    }
    // If the worker dies after the folder is deleted, the next attempt must not wait for it.
    await db.deleteFrom('vault_files').where('vault_id', '=', vault.id).execute();
    await oneAtATime(() => rm(folder, { recursive: true, force: true }));
  } catch (error) {
    const code = error instanceof VaultFailure ? error.code : errnoOf(error);
    if (code === null) throw error;
    // The message has the path, and so the email address.
    throw new JobPostponed(`the folder of the vault can't be deleted: ${code}`);
  }
}

/** Deletes all that is in a folder. Returns false if the folder doesn't exist. */
async function deleteContent(folder: string): Promise<boolean> {
  if (!(await exists(folder))) return false;
  // The target of a link is not part of the account.
  if (!(await lstat(folder)).isDirectory()) return true;
  for (const name of await readdir(folder)) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
  return true;
}

async function exists(place: string): Promise<boolean> {
  try {
    await stat(place);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false;
    throw error;
  }
}
