import { sql } from 'kysely';
import { dayMs } from '../../calendar.ts';
import type { Database, Queries, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { unfinishedHours } from '../../providers/storage/port.ts';
import { discardObjects } from './discard.ts';

const hourMs = 3_600_000;

/**
 * How long after its end a leave nobody used is kept: an upload in parts may take a day from its
 * beginning, and whoever finished one may be without network before telling so.
 */
const abandonedMs = 2 * unfinishedHours * hourMs;
/** An mp3 is made to be fetched at once. */
const convertedMs = dayMs;
/** Who sends a log means to say something about it soon. */
const logMs = 30 * dayMs;

export interface SweepParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
  readonly now: () => Date;
}

export interface Swept {
  /** Uploads in parts that were begun and never finished. */
  readonly unfinished: number;
  /** Objects that were stored, or could have been, and never became anything. */
  readonly objects: number;
  /** Leaves that are over, and whose object is in use: the object stays. */
  readonly leaves: number;
}

/**
 * Deletes what uploads leave behind. An object goes only if this server gave its key out and nothing
 * points to it; whatever else lies in the store is not ours to judge. May run at any time, and beside
 * itself.
 */
export async function sweepUploads(parts: SweepParts): Promise<Swept> {
  const { db, store, now } = parts;
  const unfinished = await store.uploads.deleteExpired();
  const accounts = await dead(db, now()).select('account_id').distinct().execute();
  let objects = 0;
  for (const { account_id: accountId } of accounts) {
    objects += await db.transaction().execute((trx) => sweepAccount(trx, parts, accountId));
  }
  const { numDeletedRows } = await db
    .deleteFrom('upload_leaves')
    .where('type', '=', 'voice_file')
    .where('expires_at', '<', new Date(now().getTime() - abandonedMs))
    .where('key', 'in', (recordings) =>
      recordings
        .selectFrom('recordings')
        .select('object_key')
        .where('object_key', 'is not', null)
        .$narrowType<{ object_key: string }>(),
    )
    .executeTakeFirstOrThrow();
  return { unfinished, objects, leaves: Number(numDeletedRows) };
}

async function sweepAccount(
  trx: Transaction,
  { queue, now }: SweepParts,
  accountId: string,
): Promise<number> {
  // Whoever makes an object a recording or a picture holds this lock too: it is one by now, or its
  // leave is gone before it can become one.
  await lockAccount(trx, accountId);
  const rows = await dead(trx, now()).select('key').where('account_id', '=', accountId).execute();
  await discardObjects(
    trx,
    queue,
    rows.map(({ key }) => key),
    now(),
  );
  return rows.length;
}

/** Leaves that are over, whose object nothing points to. */
function dead(queries: Queries, now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return queries
    .selectFrom('upload_leaves')
    .where((leave) =>
      leave.or([
        leave.and([
          leave('type', 'in', ['voice_file', 'avatar']),
          leave('expires_at', '<', before(abandonedMs)),
        ]),
        leave.and([leave('type', '=', 'converted'), leave('created_at', '<', before(convertedMs))]),
        leave.and([leave('type', '=', 'log'), leave('created_at', '<', before(logMs))]),
      ]),
    )
    .where(unused);
}

/** Whether nothing points to the object of a leave. */
const unused = sql<boolean>`
  not exists (select from recordings where object_key = upload_leaves.key)
  and not exists (select from tasks where audio_key = upload_leaves.key)
  and not exists (select from accounts where avatar = upload_leaves.key)
  and not exists (select from feedback where log_key = upload_leaves.key)`;
