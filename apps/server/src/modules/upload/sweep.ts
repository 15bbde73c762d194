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
 * How long an unused grant is kept after its end: an upload in parts may take a day, and its client may be offline
 * before it can register the object.
 */
const abandonedMs = 2 * unfinishedHours * hourMs;
/** Age at which a converted mp3 is deleted: it is downloaded immediately. */
const convertedMs = dayMs;
/** Age at which a log without feedback is deleted. Feedback follows the upload at once. */
const logMs = 30 * dayMs;

export interface SweepParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
  readonly now: () => Date;
}

export interface Swept {
  /** Uploads in parts that were started and never finished. */
  readonly unfinished: number;
  /** Objects that were, or may have been, stored and are not in use. */
  readonly objects: number;
  /** Expired grants whose object is in use. The object stays. */
  readonly grants: number;
}

/**
 * Deletes leftovers of uploads. An object is deleted only if this server issued its key and nothing refers to it;
 * other objects in the store are left alone. May run at any time, also concurrently.
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
  return { unfinished, objects, grants: Number(numDeletedRows) };
}

async function sweepAccount(
  trx: Transaction,
  { queue, now }: SweepParts,
  accountId: string,
): Promise<number> {
  // Turning an object into a recording or picture takes this lock too, so it either precedes this query or fails for
  // lack of a grant.
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

/** Expired grants whose object is not referenced. */
function dead(queries: Queries, now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return queries
    .selectFrom('upload_leaves')
    .where((grant) =>
      grant.or([
        grant.and([
          grant('type', 'in', ['voice_file', 'avatar']),
          grant('expires_at', '<', before(abandonedMs)),
        ]),
        grant.and([grant('type', '=', 'converted'), grant('created_at', '<', before(convertedMs))]),
        grant.and([grant('type', '=', 'log'), grant('created_at', '<', before(logMs))]),
      ]),
    )
    .where(unused);
}

/** Whether a grant's object is unreferenced. */
const unused = sql<boolean>`
  not exists (select from recordings where object_key = upload_leaves.key)
  and not exists (select from tasks where audio_key = upload_leaves.key)
  and not exists (select from accounts where avatar = upload_leaves.key)
  and not exists (select from feedback where log_key = upload_leaves.key)`;
