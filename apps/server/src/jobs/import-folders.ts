import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import type { FileImportDependencies } from '../modules/folder-import/import-file.ts';
import { importFolder, readScannedFiles } from '../modules/folder-import/import-folder.ts';
import { findAccount } from '../modules/user/find-account.ts';
import type { JobHandler } from './jobs.ts';

export interface ImportFoldersDependencies extends FileImportDependencies {
  /** Folder that contains one subfolder per account, or null to import nothing. */
  readonly folder: string | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/** Creates the "import-folders" job, which imports new audio files from `IMPORT_DIR/<account>/`. */
export function importFoldersJob(deps: ImportFoldersDependencies): JobHandler<'import-folders'> {
  const { db, folder, log } = deps;
  return async (_payload, signal) => {
    if (folder === null) return;
    const entries = await readdir(folder, { withFileTypes: true }).catch((err: Error) => {
      log.warn({ err }, 'failed to read IMPORT_DIR');
      return [];
    });
    for (const entry of entries) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const accountId = await findAccount(db, entry.name);
      if (accountId === null) {
        log.warn(
          'a subfolder of IMPORT_DIR matches no account: rename it to the email address of an account',
        );
        continue;
      }
      const counts = { imported: 0, known: 0, deleted: 0, failed: 0, growing: 0 };
      const scanned = await readScannedFiles(db, accountId);
      const accountFolder = path.join(folder, entry.name);
      for await (const { outcome } of importFolder(
        deps,
        accountId,
        accountFolder,
        scanned,
        signal,
      )) {
        counts[outcome.status] += 1;
        if (outcome.status === 'failed')
          log.warn({ code: outcome.code }, 'failed to import a file');
      }
      if (counts.imported + counts.failed > 0)
        log.info({ accountId, ...counts }, 'folder imported');
    }
  };
}
