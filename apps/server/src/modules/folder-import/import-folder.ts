/** Imports the audio files of a folder, each content once per account. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../db/database.ts';
import { type FileImportParts, importFile } from './import-file.ts';
import type { FileOutcome } from './outcome.ts';

/** Names that hidden files have, and folders that operating systems create on drives. */
const hiddenName = /^(\..*|System Volume Information|\$RECYCLE\.BIN)$/;

/** The extensions of files that are looked at. Their content decides. */
const audioName = /\.(wav|wave|mp3|mp4|m4a|aac|ogg|oga|opus|flac|weba|webm|mka|mov|3gp|amr|wma)$/i;

/**
 * Milliseconds for which a file must not have changed. Programs that copy a file to a folder write to it at shorter
 * intervals, except over a slow network.
 */
const settledMs = 10_000;

export interface FolderImportParts extends FileImportParts {
  readonly now: () => Date;
}

/** A file of the folder, by its path in the folder. */
export type FolderFile = { readonly path: string };

/** A file that was looked at. `growing`: the file may still be written, and is imported later. */
export type LookedFile = FolderFile & {
  readonly outcome: FileOutcome | { readonly status: 'growing' };
};

/** The remembered state of files avoids reading unchanged files again. */
export interface SeenFiles {
  /** Returns the outcome of an unchanged file; undefined for a new or changed file. */
  get(file: string, size: number, modifiedMs: number): FileOutcome | undefined;
  put(file: string, size: number, modifiedMs: number, outcome: FileOutcome): Promise<void>;
}

/**
 * Imports the new files of a folder and its subfolders, in the order of their paths. Symbolic links are not followed.
 * @param seen null to look at every file
 * @throws errors of the disk, the store and the database
 */
export async function* importFolder(
  parts: FolderImportParts,
  accountId: string,
  folder: string,
  seen: SeenFiles | null,
  signal: AbortSignal,
): AsyncGenerator<LookedFile> {
  for (const file of await listFiles(folder)) {
    signal.throwIfAborted();
    const relative = path.relative(folder, file);
    const { size, mtimeMs } = await stat(file);
    const modifiedMs = Math.round(mtimeMs);
    const known = seen?.get(relative, size, modifiedMs);
    if (known) continue;
    const age = parts.now().getTime() - modifiedMs;
    if (age >= 0 && age < settledMs) {
      yield { path: relative, outcome: { status: 'growing' } };
      continue;
    }
    const outcome = await importFile(parts, accountId, file);
    // A full account may have space again later, so its files are tried again.
    const isFinal = outcome.status !== 'failed' || outcome.code !== 'quota_exceeded';
    if (isFinal) await seen?.put(relative, size, modifiedMs, outcome);
    yield { path: relative, outcome };
    if (!isFinal) return;
  }
}

/** Lists the audio files below a folder. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (hiddenName.test(entry.name)) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await listFiles(full)));
    else if (entry.isFile() && audioName.test(entry.name)) files.push(full);
  }
  return files;
}

/** Reads the remembered files of an account. */
export async function readSeenFiles(db: Database, accountId: string): Promise<SeenFiles> {
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
