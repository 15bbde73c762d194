import { lstat, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { VaultFailure } from '@linnet/vault/folder';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { JobPostponed } from '../../jobs/jobs.ts';
import { getErrno } from './failure-details.ts';
import { runExclusively } from './local-folder.ts';
import { hasFiles } from './update-vault.ts';

export interface EraseFolderDependencies {
  readonly db: Database;
  readonly vaultRoot: string | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

/** Timeout for deleting all files, in milliseconds. The next attempt continues. */
const maxDeleteMs = 10 * 60_000;

/**
 * Deletes a closed account's folder in VAULT_DIR with all its content.
 * @throws JobPostponed while a job is writing to the folder, or if its disk isn't mounted
 */
export async function eraseVaultFolder(
  { db, vaultRoot, log, now }: EraseFolderDependencies,
  accountId: string,
): Promise<void> {
  const vault = await db
    .selectFrom('vaults')
    .select(['id', 'place', 'root', 'running_until'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'folder')
    .executeTakeFirst();
  if (!vault || vault.root === null) return;
  // The vault is stopped, so no other job can start.
  if (vault.running_until !== null && vault.running_until > now()) {
    throw new JobPostponed('a vault file is being written');
  }
  const folder = path.join(vault.root, vault.place);
  try {
    const isFound = await runExclusively(() => deleteContent(folder), maxDeleteMs);
    if (!isFound && (!(await exists(vault.root)) || (await hasFiles(db, vault.id)))) {
      // VAULT_DIR may be a mount point, which is empty while the disk isn't mounted.
      if (vault.root === vaultRoot) throw new JobPostponed('the vault folder is missing');
      log.warn({ accountId }, 'folder of erased account not found in previous VAULT_DIR');
      return;
    }
    // If the worker dies after deleting the folder, the next attempt must not wait for the folder to reappear.
    await db.deleteFrom('vault_files').where('vault_id', '=', vault.id).execute();
    await runExclusively(() => rm(folder, { recursive: true, force: true }));
  } catch (error) {
    const code = error instanceof VaultFailure ? error.code : getErrno(error);
    if (code === null) throw error;
    // Use only the error code: the message contains the path, and therefore the email address.
    throw new JobPostponed(`can't delete the vault folder: ${code}`);
  }
}

/** Deletes a folder's content. Returns false if the folder doesn't exist. */
async function deleteContent(folder: string): Promise<boolean> {
  if (!(await exists(folder))) return false;
  // Don't follow a symbolic link, because its target doesn't belong to the account.
  if (!(await lstat(folder)).isDirectory()) return true;
  for (const name of await readdir(folder)) {
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
  return true;
}

async function exists(folderPath: string): Promise<boolean> {
  try {
    await stat(folderPath);
    return true;
  } catch (error) {
    if (getErrno(error) === 'ENOENT' || getErrno(error) === 'ENOTDIR') return false;
    throw error;
  }
}
