/**
 * Brings the files of a vault up to date, by one job at a time. It follows the account's revisions, like the index of
 * passages: after each page of changes, the revision is stored that the files have reached. If the worker dies, another
 * one continues from there.
 */
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { renderNote } from '@linnet/vault/note';
import { type FileParts, keepFile, removeFile, updateFile } from '@linnet/vault/update-file';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Queries, Row } from '../../db/database.ts';
import { changedRecordings, endOfPage } from '../sync/changed-recordings.ts';
import { readAccountLanguage } from '../user/languages.ts';
import { detailsOf } from './failure-details.ts';
import { fileStates } from './file-states.ts';
import { noteWords, readNote } from './read-note.ts';
import type { SignalOf } from './signal.ts';

export type Vault = Row<'vaults'>;

export interface UpdateVaultParts {
  readonly db: Database;
  /** @throws VaultFailure */
  readonly openFolder: (vault: Vault, signalOf?: SignalOf) => Promise<VaultFolder>;
  /** Address of the server that users open. */
  readonly origin: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly now: () => Date;
  /** Maximum changed rows per table and page: {@link defaultPageRows} if absent. */
  readonly pageRows?: number;
}

const defaultPageRows = 50;
/** How long a job holds a vault without a sign of life: longer than the operations on one file may take. */
const leaseMs = 5 * 60_000;
/** Time after which the operations on one file, or the opening of the folder, are aborted, in milliseconds. */
const maxFileMs = 120_000;
/** Time after which a job makes way for other vaults, in milliseconds. The next one continues. */
const maxRunMs = 50_000;
/** Pause after the first failure in milliseconds. It doubles with each one, up to the maximum. */
const retryMs = 60_000;
const maxRetryMs = 6 * 3_600_000;

/** Runs a job of a vault. Does nothing if the vault is stopped or deleted, or another job holds it. */
export async function updateVault(
  parts: UpdateVaultParts,
  vaultId: string,
  signal: AbortSignal,
): Promise<void> {
  const run = await begin(parts, vaultId);
  if (!run) return;
  let ending: Ending = { kind: 'paused' };
  try {
    ending = await bringUpToDate(parts, run, signal);
  } catch (error) {
    // The worker is stopping, and has aborted a request.
    if (!(error instanceof VaultFailure && signal.aborted)) {
      const code = error instanceof VaultFailure ? error.code : 'failed';
      // Neither addresses nor names of files are logged.
      const details = { vaultId, code, ...detailsOf(error) };
      if (code === 'failed') parts.log.error(details, 'vault not updated');
      else parts.log.warn(details, 'vault not updated');
      ending = { kind: 'failed', code };
    }
  } finally {
    await end(parts, run, ending);
  }
}

type Ending =
  | { readonly kind: 'done' }
  /** The job made way, or the worker is stopping. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'failed'; readonly code: VaultFailureCode };

async function bringUpToDate(
  parts: UpdateVaultParts,
  run: Run,
  signal: AbortSignal,
): Promise<Ending> {
  const { db } = parts;
  const { vault } = run;
  let current = signal;
  const begins = () => {
    current = AbortSignal.any([signal, AbortSignal.timeout(maxFileMs)]);
  };
  begins();
  const folder = await parts.openFolder(vault, () => current);
  try {
    // A folder that has disappeared with its files may be a disk that isn't mounted.
    await folder.open(!(await hasFiles(db, vault.id)));
    const language = (await readAccountLanguage(db, vault.account_id)) ?? 'en';
    const start = performance.now();
    const isLate = () => signal.aborted || performance.now() - start >= maxRunMs;
    const failed = new Set<string>();
    let failedInRow = 0;
    /** Returns false if the job has to end. */
    const update = async (recordingId: string): Promise<boolean> => {
      if (isLate() || !(await renew(parts, run))) return false;
      begins();
      try {
        await updateRecording(parts, vault, folder, language, recordingId);
        failedInRow = 0;
      } catch (error) {
        if (signal.aborted) throw error;
        const code = await keepFailure(parts, vault.id, recordingId, error);
        failed.add(recordingId);
        if (code !== 'refused') failedInRow += 1;
        if (failedInRow >= maxFailedInRow) throw error;
      }
      return true;
    };

    for (;;) {
      const erased = await erasedRecordings(db, vault.id, parts.pageRows ?? defaultPageRows);
      if (erased.length === 0) break;
      for (const recordingId of erased) {
        if (!(await update(recordingId))) return { kind: 'paused' };
      }
    }
    for (let from = vault.rev; ; ) {
      const latest = await latestRevision(db, vault.account_id);
      if (latest <= from) break;
      const range = { accountId: vault.account_id, from, to: latest };
      const to = await endOfPage(db, range, parts.pageRows ?? defaultPageRows);
      for (const recordingId of await changedRecordings(db, { ...range, to })) {
        if (!(await update(recordingId))) return { kind: 'paused' };
      }
      // Unless the owner has replaced the template, so that another job begins again with the first revision.
      const stored = await db
        .updateTable('vaults')
        .set({ rev: to })
        .where('id', '=', vault.id)
        .where('running_until', '=', run.until)
        .returning('rev')
        .executeTakeFirst();
      if (!stored) return { kind: 'paused' };
      from = to;
    }
    failedInRow = 0;
    for (const recordingId of await failedRecordings(db, vault.id)) {
      if (failed.has(recordingId)) continue;
      if (!(await update(recordingId))) break;
      // The others are up to date, so the folder can be used.
      if (failedInRow >= maxFailedInRow - 1) break;
    }
    return { kind: 'done' };
  } finally {
    folder.close();
  }
}

/** True if a file was ever written to the vault, so that its folder must exist. */
export async function hasFiles(db: Queries, vaultId: string): Promise<boolean> {
  const file = await db
    .selectFrom('vault_files')
    .select('recording_id')
    .where('vault_id', '=', vaultId)
    .where('digest', 'is not', null)
    .executeTakeFirst();
  return file !== undefined;
}

async function updateRecording(
  { db, origin, now }: UpdateVaultParts,
  vault: Vault,
  folder: VaultFolder,
  language: InterfaceLanguage,
  recordingId: string,
): Promise<void> {
  const parts: FileParts = { states: fileStates(db, vault.id), folder };
  const read = await readNote(db, recordingId, language, origin);
  if (read.kind === 'binned' && read.byRule) {
    await keepFile(parts, recordingId);
    return;
  }
  if (read.kind !== 'note') {
    await removeFile(parts, recordingId, read.kind === 'erased');
    return;
  }
  const { note, utcOffset } = read;
  await updateFile(parts, recordingId, {
    ...{ id: note.id, title: note.title, day: note.date.slice(0, 10) },
    text: renderNote(note, noteWords(language), vault.template),
    localTime: new Date(now().getTime() + utcOffset * 60_000).toISOString(),
  });
}

/** Failures that may concern one file only, so that others can still be written. */
const fileFailures: ReadonlySet<VaultFailureCode> = new Set([
  ...(['refused', 'busy', 'denied', 'failed', 'timeout'] as const),
]);
/** Number of files in a row after whose failures the folder counts as failed. */
const maxFailedInRow = 3;

/**
 * Stores that a file has failed.
 * @throws the error if it concerns more than the file
 */
async function keepFailure(
  { db, log }: UpdateVaultParts,
  vaultId: string,
  recordingId: string,
  error: unknown,
): Promise<VaultFailureCode> {
  if (!(error instanceof VaultFailure) || !fileFailures.has(error.code)) throw error;
  const { code } = error;
  log.warn({ vaultId, recordingId, code, ...detailsOf(error) }, 'file of a vault not updated');
  await db
    .updateTable('vault_files')
    .set({ failure: code })
    .where('vault_id', '=', vaultId)
    .where('recording_id', '=', recordingId)
    .execute();
  return code;
}

/** Maximum number of failed files that are tried again by one job. */
const maxRetries = 50;

/** Returns recordings whose files have failed for a reason that may pass. */
async function failedRecordings(db: Database, vaultId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('vault_files')
    .leftJoin('recordings', 'recordings.id', 'recording_id')
    .select('recording_id')
    .where('vault_id', '=', vaultId)
    .where('failure', 'is not', null)
    .where(({ or, eb }) => or([eb('failure', '!=', 'refused'), eb('recordings.id', 'is', null)]))
    .orderBy(sql`random()`)
    .limit(maxRetries)
    .execute();
  return rows.map(({ recording_id: id }) => id);
}

/** Returns recordings that were permanently deleted, and still have files that have not failed. */
async function erasedRecordings(db: Database, vaultId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('vault_files')
    .leftJoin('recordings', 'recordings.id', 'recording_id')
    .select('recording_id')
    .where('vault_id', '=', vaultId)
    .where('recordings.id', 'is', null)
    .where('failure', 'is', null)
    .limit(limit)
    .execute();
  return rows.map(({ recording_id: id }) => id);
}

async function latestRevision(db: Database, accountId: string): Promise<number> {
  const account = await db
    .selectFrom('accounts')
    .select('rev')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return account?.rev ?? 0;
}

/** A job that holds a vault. */
interface Run {
  readonly vault: Vault;
  /** Value of the column `running_until`, which only this job has. */
  until: Date;
}

const leaseEnd = ({ now }: UpdateVaultParts) => new Date(now().getTime() + leaseMs);

/** Takes the vault for a job. Returns null if it is stopped or deleted, or another job holds it. */
async function begin(parts: UpdateVaultParts, vaultId: string): Promise<Run | null> {
  const until = leaseEnd(parts);
  const vault = await parts.db
    .updateTable('vaults')
    .set({ queued_at: null, running_until: until })
    .where('id', '=', vaultId)
    .where('stopped_at', 'is', null)
    .where((condition) =>
      condition.or([
        condition('running_until', 'is', null),
        condition('running_until', '<=', parts.now()),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return vault ? { vault, until } : null;
}

/** Extends the time of a job. Returns false if the vault was stopped, changed or deleted, or another job has taken it. */
async function renew(parts: UpdateVaultParts, run: Run): Promise<boolean> {
  const until = leaseEnd(parts);
  const renewed = await parts.db
    .updateTable('vaults')
    .set({ running_until: until })
    .where('id', '=', run.vault.id)
    .where('running_until', '=', run.until)
    .returning('id')
    .executeTakeFirst();
  if (renewed) run.until = until;
  return renewed !== undefined;
}

async function end({ db, now }: UpdateVaultParts, run: Run, ending: Ending): Promise<void> {
  const { id, failures } = run.vault;
  const pause = Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures, 20));
  const changes =
    ending.kind === 'failed'
      ? {
          ...{ failure: ending.code, failures: failures + 1, failed_at: now() },
          next_at: new Date(now().getTime() + pause),
        }
      : { ...noFailure, ...(ending.kind === 'done' && { written_at: now() }) };
  await db
    .updateTable('vaults')
    .set({ running_until: null, ...changes })
    .where('id', '=', id)
    .where('running_until', '=', run.until)
    .execute();
}

/** The columns of a vault whose latest attempt has not failed. */
export const noFailure = { failure: null, failures: 0, failed_at: null, next_at: null } as const;
