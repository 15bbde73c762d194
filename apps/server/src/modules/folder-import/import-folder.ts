/** Imports the audio files in a folder. Files with the same content are imported only once per account. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isAudioName, isBeingWritten, isHiddenName } from '@linnet/contract/folder-files';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { type FileImportDependencies, importFile } from './import-file.ts';
import type { FileOutcome, ImportFailureCode } from './outcome.ts';

/** A file in the folder. `growing`: a program may still be writing the file, so it is left for a later scan. */
export type ScannedFile = {
  /** Path relative to the folder. */
  readonly path: string;
  readonly outcome: FileOutcome | { readonly status: 'growing' };
};

/** The files found by earlier scans. They are read again only if they have changed. */
export interface ScannedFiles {
  /** Returns the outcome of an unchanged file, or undefined for a new or changed file. */
  get(file: string, size: number, modifiedMs: number): FileOutcome | undefined;
  put(file: string, size: number, modifiedMs: number, outcome: FileOutcome): Promise<void>;
}

/**
 * Imports a folder's new files, including subfolders, in path order. Doesn't follow symbolic links.
 * @param scanned files to skip if unchanged, or null to read every file
 * @throws disk, store and database errors
 */
export async function* importFolder(
  deps: FileImportDependencies,
  accountId: string,
  folder: string,
  scanned: ScannedFiles | null,
  signal: AbortSignal,
): AsyncGenerator<ScannedFile> {
  for (const file of await listFiles(folder)) {
    signal.throwIfAborted();
    const relative = path.relative(folder, file);
    const { size, mtimeMs } = await stat(file);
    const modifiedMs = Math.round(mtimeMs);
    const known = scanned?.get(relative, size, modifiedMs);
    if (known) continue;
    if (isBeingWritten(modifiedMs, deps.now().getTime())) {
      yield { path: relative, outcome: { status: 'growing' } };
      continue;
    }
    const outcome = await importFile(deps, accountId, file, signal);
    // Retry files that exceeded the quota, because the account may have space again later.
    const isFinal = outcome.status !== 'failed' || outcome.code !== 'quota_exceeded';
    if (isFinal) await scanned?.put(relative, size, modifiedMs, outcome);
    yield { path: relative, outcome };
    if (!isFinal) return;
  }
}

/** Lists the audio files in a folder and its subfolders. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (isHiddenName(entry.name)) continue;
    const filePath = path.join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await listFiles(filePath)));
    else if (entry.isFile() && isAudioName(entry.name)) files.push(filePath);
  }
  return files;
}

/**
 * Deletes the scan results of files that the server couldn't decode, in all accounts. These files are then retried,
 * because the installed decoder may have changed.
 */
export async function forgetUnsupportedFiles(db: Database): Promise<void> {
  await db
    .deleteFrom('imported_files')
    .where(sql`outcome ->> 'code'`, '=', 'format_unsupported' satisfies ImportFailureCode)
    .execute();
}

/** Loads the results of earlier scans of an account's folder. */
export async function readScannedFiles(db: Database, accountId: string): Promise<ScannedFiles> {
  const rows = await db
    .selectFrom('imported_files')
    .selectAll()
    .where('account_id', '=', accountId)
    .execute();
  const byPath = new Map(rows.map((row) => [row.path, row]));
  return {
    get(file, size, modifiedMs) {
      const row = byPath.get(file);
      const isUnchanged =
        row && Number(row.size) === size && row.modified_at.getTime() === modifiedMs;
      return isUnchanged ? row.outcome : undefined;
    },
    async put(file, size, modifiedMs, outcome) {
      const values = { size, modified_at: new Date(modifiedMs), outcome: JSON.stringify(outcome) };
      await db
        .insertInto('imported_files')
        .values({ account_id: accountId, path: file, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'path']).doUpdateSet(values))
        .execute();
    },
  };
}
