/**
 * Updates a vault's files. Only one job per vault runs at a time. Like the passage index, it follows the account's
 * revisions: after each page of changes, it stores the revision that the files now reflect. If the worker dies, another
 * worker continues from there.
 */
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { VaultFailureCode } from '@linnet/contract/vaults';
import { VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { renderNote } from '@linnet/vault/note';
import { type FileDependencies, keepFile, removeFile, updateFile } from '@linnet/vault/update-file';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Queries, Row } from '../../db/database.ts';
import { changedRecordings, endOfPage } from '../sync/changed-recordings.ts';
import { readAccountLanguage } from '../user/languages.ts';
import { describeError } from './failure-details.ts';
import { fileStates } from './file-states.ts';
import { noteHeadings, readNote } from './read-note.ts';
import type { GetSignal } from './signal.ts';

export type Vault = Row<'vaults'>;

export interface UpdateVaultDependencies {
  readonly db: Database;
  /**
   * Opens the folder of a vault.
   * @throws VaultFailure
   */
  readonly openFolder: (vault: Vault, getSignal?: GetSignal) => Promise<VaultFolder>;
  /** The server's public URL. */
  readonly origin: string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly now: () => Date;
  /** Maximum number of changed rows per table and page. Defaults to {@link defaultPageRows}. */
  readonly pageRows?: number;
}

const defaultPageRows = 50;
/** Job lease, in milliseconds. Renewed between files, so it must be longer than the operations on one file. */
const leaseMs = 5 * 60_000;
/** Timeout for the operations on one file, or for opening the folder, in milliseconds. */
const maxFileMs = 120_000;
/** Time after which a job yields to other vaults, in milliseconds. The next job continues. */
const maxRunMs = 50_000;
/** Delay after the first failure, in milliseconds. Doubles with each failure (exponential backoff). */
const retryMs = 60_000;
/** Maximum delay after a failure, in milliseconds. */
const maxRetryMs = 6 * 3_600_000;

/** Updates a vault, unless it is stopped or deleted, or another job is running. */
export async function updateVault(
  deps: UpdateVaultDependencies,
  vaultId: string,
  signal: AbortSignal,
): Promise<void> {
  const run = await begin(deps, vaultId);
  if (!run) return;
  let ending: Ending = { kind: 'paused' };
  try {
    ending = await updateFiles(deps, run, signal);
  } catch (error) {
    // A failure during shutdown is expected, because the request was aborted.
    if (!(error instanceof VaultFailure && signal.aborted)) {
      const code = error instanceof VaultFailure ? error.code : 'failed';
      // Don't log URLs or file names.
      const details = { vaultId, code, ...describeError(error) };
      if (code === 'failed') deps.log.error(details, 'failed to update vault');
      else deps.log.warn(details, 'failed to update vault');
      ending = { kind: 'failed', code };
    }
  } finally {
    await end(deps, run, ending);
  }
}

type Ending =
  | { readonly kind: 'done' }
  /** The job yielded to other vaults, or the worker is stopping. */
  | { readonly kind: 'paused' }
  | { readonly kind: 'failed'; readonly code: VaultFailureCode };

async function updateFiles(
  deps: UpdateVaultDependencies,
  run: Run,
  signal: AbortSignal,
): Promise<Ending> {
  const { db } = deps;
  const { vault } = run;
  let current = signal;
  const begins = () => {
    current = AbortSignal.any([signal, AbortSignal.timeout(maxFileMs)]);
  };
  begins();
  const folder = await deps.openFolder(vault, () => current);
  try {
    // If files were written before, don't create a missing folder: it may be on a disk that isn't mounted.
    await folder.open(!(await hasFiles(db, vault.id)));
    const language = (await readAccountLanguage(db, vault.account_id)) ?? 'en';
    const start = performance.now();
    const isLate = () => signal.aborted || performance.now() - start >= maxRunMs;
    const failed = new Set<string>();
    let failedInRow = 0;
    /** Updates the file of a recording. Returns false if the job has to stop. */
    const update = async (recordingId: string): Promise<boolean> => {
      if (isLate() || !(await renew(deps, run))) return false;
      begins();
      try {
        await updateRecording(deps, vault, folder, language, recordingId);
        failedInRow = 0;
      } catch (error) {
        if (signal.aborted) throw error;
        const code = await storeFailure(deps, vault.id, recordingId, error);
        failed.add(recordingId);
        if (code !== 'refused') failedInRow += 1;
        if (failedInRow >= maxFailedInRow) throw error;
      }
      return true;
    };

    for (;;) {
      const erased = await erasedRecordings(db, vault.id, deps.pageRows ?? defaultPageRows);
      if (erased.length === 0) break;
      for (const recordingId of erased) {
        if (!(await update(recordingId))) return { kind: 'paused' };
      }
    }
    for (let from = vault.rev; ; ) {
      const latest = await latestRevision(db, vault.account_id);
      if (latest <= from) break;
      const range = { accountId: vault.account_id, from, to: latest };
      const to = await endOfPage(db, range, deps.pageRows ?? defaultPageRows);
      for (const recordingId of await changedRecordings(db, { ...range, to })) {
        if (!(await update(recordingId))) return { kind: 'paused' };
      }
      // Don't store the revision if the user has replaced the template: the next job then starts from the first
      // revision.
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
      // Stop before the folder counts as failed: all other files are up to date, so the folder works.
      if (failedInRow >= maxFailedInRow - 1) break;
    }
    return { kind: 'done' };
  } finally {
    folder.close();
  }
}

/** Returns whether a file was ever written to the vault, so its folder must exist. */
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
  { db, origin, now }: UpdateVaultDependencies,
  vault: Vault,
  folder: VaultFolder,
  language: InterfaceLanguage,
  recordingId: string,
): Promise<void> {
  const deps: FileDependencies = { states: fileStates(db, vault.id), folder };
  const read = await readNote(db, recordingId, language, origin);
  if (read.kind === 'binned' && read.byRule) {
    await keepFile(deps, recordingId);
    return;
  }
  if (read.kind !== 'note') {
    await removeFile(deps, recordingId, read.kind === 'erased');
    return;
  }
  const { note, utcOffset } = read;
  await updateFile(deps, recordingId, {
    id: note.id,
    title: note.title,
    day: note.date.slice(0, 10),
    text: renderNote(note, noteHeadings(language), vault.template),
    localTime: new Date(now().getTime() + utcOffset * 60_000).toISOString(),
  });
}

/** Failures that may affect only a single file, so the job continues with the other files. */
const fileFailures: ReadonlySet<VaultFailureCode> = new Set([
  ...(['refused', 'busy', 'denied', 'failed', 'timeout'] as const),
]);
/** Number of consecutive failed files after which the whole folder counts as failed. */
const maxFailedInRow = 3;

/**
 * Stores the failure of a file.
 * @throws the error if it affects more than this file
 */
async function storeFailure(
  { db, log }: UpdateVaultDependencies,
  vaultId: string,
  recordingId: string,
  error: unknown,
): Promise<VaultFailureCode> {
  if (!(error instanceof VaultFailure) || !fileFailures.has(error.code)) throw error;
  const { code } = error;
  log.warn({ vaultId, recordingId, code, ...describeError(error) }, 'failed to update vault file');
  await db
    .updateTable('vault_files')
    .set({ failure: code })
    .where('vault_id', '=', vaultId)
    .where('recording_id', '=', recordingId)
    .execute();
  return code;
}

/** Maximum number of failed files retried per job. */
const maxRetries = 50;

/** Returns recordings whose files failed for a possibly temporary reason. */
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

/** Returns permanently deleted recordings that still have files, except for failed files. */
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

/** A running job, which holds the lease of a vault. */
interface Run {
  readonly vault: Vault;
  /** Expiry of the lease (column `running_until`). Also identifies this job. */
  until: Date;
}

const leaseEnd = ({ now }: UpdateVaultDependencies) => new Date(now().getTime() + leaseMs);

/** Acquires the vault's lease. Returns null if the vault is stopped or deleted, or another job holds the lease. */
async function begin(deps: UpdateVaultDependencies, vaultId: string): Promise<Run | null> {
  const leaseUntil = leaseEnd(deps);
  const vault = await deps.db
    .updateTable('vaults')
    .set({ queued_at: null, running_until: leaseUntil })
    .where('id', '=', vaultId)
    .where('stopped_at', 'is', null)
    .where((condition) =>
      condition.or([
        condition('running_until', 'is', null),
        condition('running_until', '<=', deps.now()),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
  return vault ? { vault, until: leaseUntil } : null;
}

/** Renews the lease. Returns false if the vault was stopped, changed or deleted, or another job has taken the lease. */
async function renew(deps: UpdateVaultDependencies, run: Run): Promise<boolean> {
  const leaseUntil = leaseEnd(deps);
  const renewed = await deps.db
    .updateTable('vaults')
    .set({ running_until: leaseUntil })
    .where('id', '=', run.vault.id)
    .where('running_until', '=', run.until)
    .returning('id')
    .executeTakeFirst();
  if (renewed) run.until = leaseUntil;
  return renewed !== undefined;
}

async function end({ db, now }: UpdateVaultDependencies, run: Run, ending: Ending): Promise<void> {
  const { id, failures } = run.vault;
  const pause = Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures, 20));
  const changes =
    ending.kind === 'failed'
      ? {
          failure: ending.code,
          failures: failures + 1,
          failed_at: now(),
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
