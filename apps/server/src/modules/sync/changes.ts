import type { CallData, CallInput, Change, RecordingState } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { latestTasks } from '../recording/service.ts';
import type { LatestTask, Sign } from '../recording/view.ts';
import { toRecording, toTaskHead } from '../recording/view.ts';
import { toParagraph, toTask } from '../task/view.ts';

/** Revisions after `from`, up to `to`. */
interface Span {
  readonly accountId: string;
  readonly from: number;
  readonly to: number;
}

/** Lists changes for phones. */
export interface Changes {
  /**
   * Lists the changes after the cursor, by revision. A row that changed twice is listed once, in its newest state.
   * The rows of a revision are never split between pages.
   * @throws CallError badRequest for a cursor that this server did not issue
   */
  since(
    accountId: string,
    query: CallInput<'sync/changes'>,
    sign: Sign,
  ): Promise<CallData<'sync/changes'>>;
}

export function createChanges(db: Database): Changes {
  return {
    since: (accountId, { cursor, limit }, sign) =>
      // One snapshot: a row that got a new revision between two queries would be missing from both, and the
      // cursor would pass it.
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => {
          // All revisions up to this one are committed: a writer holds the account's lock from taking its
          // revision until its commit.
          const { rev: latest, epoch } = await trx
            .selectFrom('accounts')
            .select(['rev', 'epoch'])
            .where('id', '=', accountId)
            .executeTakeFirstOrThrow();
          const from = cursor === undefined ? 0 : openCursor(cursor, epoch);
          if (from > latest) throw foreignCursor();
          const to = await endOfPage(trx, { accountId, from, to: latest }, limit);
          const span = { accountId, from, to };
          const changes = [
            ...(await recordings(trx, span, sign)),
            ...(await tasks(trx, span)),
            ...(await paragraphs(trx, span)),
            ...(await settings(trx, span)),
            ...(await tombstones(trx, span)),
          ];
          // The sort is stable: within a revision, recordings come before their tasks and paragraphs.
          changes.sort((a, b) => a.rev - b.rev);
          return { changes, cursor: sealCursor(to, epoch), more: to < latest };
        }),
  };
}

/** The last revision that fits into a page of `limit` changes. A page has at least one revision. */
async function endOfPage(
  trx: Transaction,
  { accountId, from, to }: Span,
  limit: number,
): Promise<number> {
  const within = sql`rev > ${from} and rev <= ${to}`;
  const { rows } = await sql<{ rev: number }>`
    select rev from (
      (select rev from recordings where account_id = ${accountId} and ${within}
        order by rev limit ${limit + 1})
      union all
      (select rev from tasks
        where account_id = ${accountId} and status in (${taskStatus.transcribed}, ${taskStatus.failed})
          and ${within}
        order by rev limit ${limit + 1})
      union all
      (select rev from paragraphs where account_id = ${accountId} and ${within}
        order by rev limit ${limit + 1})
      union all
      (select rev from settings where account_id = ${accountId} and ${within})
      union all
      (select rev from tombstones where account_id = ${accountId} and ${within}
        order by rev limit ${limit + 1})
    ) as changed order by rev limit ${limit + 1}`.execute(trx);
  const [first, beyond] = [rows[0], rows[limit]];
  if (first === undefined || beyond === undefined) return to;
  return Math.max(first.rev, beyond.rev - 1);
}

async function recordings(trx: Transaction, span: Span, sign: Sign): Promise<Change[]> {
  const rows = await trx
    .selectFrom('recordings')
    .selectAll()
    .where('account_id', '=', span.accountId)
    .where('rev', '>', span.from)
    .where('rev', '<=', span.to)
    .orderBy('rev')
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
    speakers: row.speakers,
    markers: row.markers,
    ticks: row.ticks,
    mind_map: row.mind_map,
  };
}

async function tasks(trx: Transaction, span: Span): Promise<Change[]> {
  const rows = await trx
    .selectFrom('tasks')
    .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
    .selectAll('tasks')
    .select('recordings.client_flag')
    .where('tasks.account_id', '=', span.accountId)
    .where('tasks.status', 'in', [taskStatus.transcribed, taskStatus.failed])
    .where('tasks.rev', '>', span.from)
    .where('tasks.rev', '<=', span.to)
    .orderBy('tasks.rev')
    .execute();
  return rows.map(({ client_flag, ...row }) => {
    const { paragraphs: _, ...task } = toTask(row, []);
    return { rev: row.rev, kind: 'task', client_flag, task };
  });
}

async function paragraphs(trx: Transaction, span: Span): Promise<Change[]> {
  const rows = await trx
    .selectFrom('paragraphs')
    .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
    .innerJoin('recordings', 'recordings.id', 'tasks.recording_id')
    .selectAll('paragraphs')
    .select('recordings.client_flag')
    .where('paragraphs.account_id', '=', span.accountId)
    .where('paragraphs.rev', '>', span.from)
    .where('paragraphs.rev', '<=', span.to)
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
    paragraph: toParagraph(row),
  }));
}

async function settings(trx: Transaction, span: Span): Promise<Change[]> {
  const rows = await trx
    .selectFrom('settings')
    .select(['group_name', 'config_key', 'config_value', 'rev'])
    .where('account_id', '=', span.accountId)
    .where('rev', '>', span.from)
    .where('rev', '<=', span.to)
    .orderBy('rev')
    .execute();
  return rows.map(({ rev, ...setting }) => ({ rev, kind: 'setting', setting }));
}

async function tombstones(trx: Transaction, span: Span): Promise<Change[]> {
  const rows = await trx
    .selectFrom('tombstones')
    .select(['id', 'client_flag', 'rev', 'deleted_at'])
    .where('account_id', '=', span.accountId)
    .where('rev', '>', span.from)
    .where('rev', '<=', span.to)
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

/** A cursor encodes the last revision sent and its epoch. It is opaque to clients. */
function sealCursor(rev: number, epoch: string): string {
  return Buffer.from(`${epoch} ${rev}`).toString('base64url');
}

function openCursor(cursor: string, epoch: string): number {
  const [cursorEpoch, digits = '', ...rest] = Buffer.from(cursor, 'base64url')
    .toString()
    .split(' ');
  if (cursorEpoch !== epoch || !/^\d{1,15}$/.test(digits) || rest.length > 0) throw foreignCursor();
  return Number(digits);
}

/**
 * Rejects a cursor of another epoch. Restoring a backup starts a new epoch, because revisions since the backup are issued
 * again with other content.
 */
const foreignCursor = () =>
  new CallError('badRequest', 'Unknown cursor. Restart without a cursor.');
