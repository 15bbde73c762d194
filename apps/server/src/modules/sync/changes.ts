import type { CallData, CallInput, Change, RecordingState } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { latestTasks } from '../recording/service.ts';
import type { LatestTask, Sign } from '../recording/view.ts';
import { toRecording, toTaskHead } from '../recording/view.ts';
import type { SignMindMap } from '../task/view.ts';
import { toSyncedParagraph, toTask } from '../task/view.ts';

/**
 * Lists an account's changes since a cursor. Every change assigns the account's next revision to the changed row, so a
 * phone receives all changes by requesting the revisions after the last revision it has seen.
 */

/** An account's revisions after `from`, up to and including `to`. */
interface RevisionRange {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Where a page begins: after a revision in the list of all changes, or before one in the list of recordings, which
 * starts with the latest. Pages of recordings are only a preview. The first page of all changes follows them, and
 * repeats the recordings, so that no change can be missed.
 */
interface Position {
  readonly list: 'recordings' | 'all';
  readonly rev: number;
}

const start: Position = { list: 'all', rev: 0 };

/** Provides the changes that phones sync. */
export interface Changes {
  /**
   * Lists the changes after a cursor, ordered by revision. A row that has changed several times is listed once, in its
   * current state. A revision's rows are always on the same page. If requested, all settings and then all
   * recordings, latest revision first, are listed before the first changes, unless everything fits on one page.
   * @param account the account as it was read when the caller was authenticated
   * @throws CallError badRequest for a cursor that this server didn't issue
   */
  since(
    account: Pick<Row<'accounts'>, 'id' | 'rev' | 'epoch'>,
    query: CallInput<'sync/changes'>,
    sign: Sign,
    signMap: SignMindMap,
  ): Promise<CallData<'sync/changes'>>;
}

export function createChanges(db: Database): Changes {
  return {
    async since(
      { id: accountId, ...known },
      { cursor, limit, recordings_first: recordingsFirst },
      sign,
      signMap,
    ) {
      if (cursor !== undefined) {
        const { list, rev } = openCursor(cursor, known.epoch);
        // Most polls find nothing new, and need no further query.
        if (list === 'all' && rev === known.rev) return { changes: [], cursor, more: false };
      }
      // All queries must read the same snapshot. Otherwise a row that gets a new revision between two queries could be
      // missing from both, and the cursor would skip it.
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => {
          // All revisions up to this one have been committed, because writers lock the account before they assign a
          // revision and hold the lock until they commit.
          const { rev: latest, epoch } = await trx
            .selectFrom('accounts')
            .select(['rev', 'epoch'])
            .where('id', '=', accountId)
            .executeTakeFirstOrThrow();
          const position = cursor === undefined ? start : openCursor(cursor, epoch);
          const from = position.rev;
          if (from > latest) throw unknownCursor();
          if (position.list === 'recordings') {
            return recordingsPage(trx, { accountId, from: 0, to: from - 1 }, limit, sign, epoch);
          }
          const remaining = { accountId, from, to: latest };
          const to = await endOfPage(trx, remaining, limit);
          if (cursor === undefined && recordingsFirst && to < latest) {
            const page = await recordingsPage(trx, remaining, limit, sign, epoch);
            // Settings decide what a phone does with the recordings.
            return { ...page, changes: [...(await settings(trx, remaining)), ...page.changes] };
          }
          const range = { accountId, from, to };
          const changes = [
            ...(await recordings(trx, range, sign)),
            ...(await tasks(trx, range, signMap)),
            ...(await paragraphs(trx, range)),
            ...(await settings(trx, range)),
            ...(await tombstones(trx, range)),
          ];
          // The sort is stable, so recordings come before their tasks and paragraphs within a revision.
          changes.sort((a, b) => a.rev - b.rev);
          return {
            changes,
            cursor: sealCursor({ list: 'all', rev: to }, epoch),
            more: to < latest,
          };
        });
    },
  };
}

/**
 * Returns a page of at least `limit` recordings, or the last one, after which the first page of all changes follows.
 * The latest revision comes first, because the app lists the newest recordings at the top. They appear immediately, and
 * keep their positions while the others arrive.
 */
async function recordingsPage(
  trx: Transaction,
  range: RevisionRange,
  limit: number,
  sign: Sign,
  epoch: string,
): Promise<CallData<'sync/changes'>> {
  const changes = await recordings(trx, range, sign, limit);
  const last = changes.at(-1);
  const next: Position =
    last && changes.length >= limit ? { list: 'recordings', rev: last.rev } : start;
  return { changes, cursor: sealCursor(next, epoch), more: true };
}

/** Returns the last revision that fits on a page of `limit` changes. Every page contains at least one revision. */
async function endOfPage(
  trx: Transaction,
  { accountId, from, to }: RevisionRange,
  limit: number,
): Promise<number> {
  const isInRange = sql`rev > ${from} and rev <= ${to}`;
  const { rows } = await sql<{ rev: number }>`
    select rev from (
      (select rev from recordings where account_id = ${accountId} and ${isInRange}
        order by rev limit ${limit + 1})
      union all
      (select rev from tasks
        where account_id = ${accountId} and status in (${taskStatus.transcribed}, ${taskStatus.failed})
          and ${isInRange}
        order by rev limit ${limit + 1})
      union all
      (select rev from paragraphs where account_id = ${accountId} and ${isInRange}
        order by rev limit ${limit + 1})
      union all
      (select rev from settings where account_id = ${accountId} and ${isInRange})
      union all
      (select rev from tombstones where account_id = ${accountId} and ${isInRange}
        order by rev limit ${limit + 1})
    ) as changed order by rev limit ${limit + 1}`.execute(trx);
  const [firstOnPage, firstOfNextPage] = [rows[0], rows[limit]];
  if (firstOnPage === undefined || firstOfNextPage === undefined) return to;
  return Math.max(firstOnPage.rev, firstOfNextPage.rev - 1);
}

/**
 * Lists all recordings by revision, or those with the latest revisions, latest first.
 * @param latestCount the number of recordings, not counting those that share the revision of the last one; all if
 *   absent
 */
async function recordings(
  trx: Transaction,
  range: RevisionRange,
  sign: Sign,
  latestCount?: number,
): Promise<Change[]> {
  const rows = await trx
    .selectFrom('recordings')
    .selectAll()
    .where('account_id', '=', range.accountId)
    .where('rev', '>', range.from)
    .where('rev', '<=', range.to)
    .orderBy('rev', latestCount === undefined ? 'asc' : 'desc')
    .$if(latestCount !== undefined, (query) => query.fetch(latestCount ?? 0, 'with ties'))
    .execute();
  const latest = await latestTasks(
    trx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    rev: row.rev,
    kind: 'recording',
    recording: toRecordingState(row, latest.get(row.id) ?? null, sign),
  }));
}

function toRecordingState(
  row: Row<'recordings'>,
  task: LatestTask | null,
  sign: Sign,
): RecordingState {
  return {
    ...toRecording(row, task, sign),
    task: task && toTaskHead(task),
    place: row.place,
    language: row.language,
    words: row.words,
    speakers: row.speakers,
    proposals: row.proposals,
    markers: row.markers,
    notes: row.notes,
    ticks: row.ticks,
    mind_map: row.mind_map,
    unplaced: row.unplaced,
    binned_by: row.binned_by,
  };
}

async function tasks(
  trx: Transaction,
  range: RevisionRange,
  signMap: SignMindMap,
): Promise<Change[]> {
  const rows = await trx
    .selectFrom('tasks')
    .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
    .selectAll('tasks')
    .select(['recordings.client_flag', 'recordings.mind_map'])
    .where('tasks.account_id', '=', range.accountId)
    .where('tasks.status', 'in', [taskStatus.transcribed, taskStatus.failed])
    .where('tasks.rev', '>', range.from)
    .where('tasks.rev', '<=', range.to)
    .orderBy('tasks.rev')
    .execute();
  return rows.map(({ client_flag, mind_map, ...row }) => {
    const { paragraphs: _, ...task } = toTask(row, [], mind_map !== null, signMap);
    return { rev: row.rev, kind: 'task', client_flag, task };
  });
}

async function paragraphs(trx: Transaction, range: RevisionRange): Promise<Change[]> {
  const rows = await trx
    .selectFrom('paragraphs')
    .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
    .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
    .selectAll('paragraphs')
    .select('recordings.client_flag')
    .where('paragraphs.account_id', '=', range.accountId)
    .where('paragraphs.rev', '>', range.from)
    .where('paragraphs.rev', '<=', range.to)
    .orderBy('paragraphs.rev')
    .orderBy('paragraphs.task_id')
    .orderBy('paragraphs.ordinal')
    .execute();
  return rows.map(({ client_flag, ...row }) => ({
    rev: row.rev,
    kind: 'paragraph',
    client_flag,
    task_id: row.task_id,
    ordinal: row.ordinal,
    paragraph: toSyncedParagraph(row),
  }));
}

async function settings(trx: Transaction, range: RevisionRange): Promise<Change[]> {
  const rows = await trx
    .selectFrom('settings')
    .select(['group_name', 'config_key', 'config_value', 'rev'])
    .where('account_id', '=', range.accountId)
    .where('rev', '>', range.from)
    .where('rev', '<=', range.to)
    .orderBy('rev')
    .execute();
  return rows.map(({ rev, ...setting }) => ({ rev, kind: 'setting', setting }));
}

async function tombstones(trx: Transaction, range: RevisionRange): Promise<Change[]> {
  const rows = await trx
    .selectFrom('tombstones')
    .select(['id', 'client_flag', 'rev', 'deleted_at'])
    .where('account_id', '=', range.accountId)
    .where('rev', '>', range.from)
    .where('rev', '<=', range.to)
    .orderBy('rev')
    .execute();
  return rows.map(({ id, client_flag, rev, deleted_at }) => ({
    rev,
    kind: 'tombstone',
    id,
    client_flag: client_flag ?? '',
    deleted_at: deleted_at.toISOString(),
  }));
}

/** Encodes the position of the next page and the epoch as a cursor, which is opaque to clients. */
function sealCursor({ list, rev }: Position, epoch: string): string {
  const suffix = list === 'all' ? '' : ` ${list}`;
  return Buffer.from(`${epoch} ${rev}${suffix}`).toString('base64url');
}

/**
 * Decodes a cursor and returns its position.
 * @throws CallError badRequest if the cursor wasn't issued in this epoch
 */
function openCursor(cursor: string, epoch: string): Position {
  const [cursorEpoch, digits = '', list = 'all', ...rest] = Buffer.from(cursor, 'base64url')
    .toString()
    .split(' ');
  if (cursorEpoch !== epoch || !/^\d{1,15}$/.test(digits) || rest.length > 0) throw unknownCursor();
  if (list !== 'all' && list !== 'recordings') throw unknownCursor();
  return { list, rev: Number(digits) };
}

/**
 * Creates the error for a cursor that wasn't issued in the current epoch. Restoring a backup starts a new epoch,
 * because revisions newer than the backup are then assigned again to other changes.
 */
const unknownCursor = () =>
  new CallError('badRequest', 'Invalid cursor. Start over without a cursor.');
