import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { JobPostponed } from '../../jobs/jobs.ts';

export interface EraseFolderParts {
  readonly db: Database;
  readonly vaultRoot: string | null;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
}

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
    .select(['place', 'root', 'running_until'])
    .where('account_id', '=', accountId)
    .where('kind', '=', 'folder')
    .executeTakeFirst();
  if (!vault || vault.root === null) return;
  // A stopped vault isn't taken by another job.
  if (vault.running_until !== null && vault.running_until > now()) {
    throw new JobPostponed('a file of the vault is being written');
  }
  const isMounted = await stat(vault.root).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isMounted) {
    await rm(path.join(vault.root, vault.place), { recursive: true, force: true });
    return;
  }
  if (vault.root === vaultRoot) throw new JobPostponed('VAULT_DIR is missing');
  log.warn(
    { accountId },
    'the folder of an erased account is in a former VAULT_DIR that is missing',
  );
}
