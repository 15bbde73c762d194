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
 * How long an unused grant is kept after it expires. A multipart upload may take a day, and the client may then be
 * offline for some time before it registers the object.
 */
const unusedGrantMs = 2 * unfinishedHours * hourMs;
/** Age at which a converted MP3 is deleted. Clients download it immediately. */
const convertedFileMs = dayMs;
/** Age at which an uploaded log without feedback is deleted. Clients send the feedback immediately after the log. */
const unusedLogMs = 30 * dayMs;

export interface SweepDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly queue: Queue;
  readonly now: () => Date;
}

/** The number of items deleted by a sweep. */
export interface SweepResult {
  /** Multipart uploads that were started but never finished. */
  readonly unfinished: number;
  /** Unreferenced objects, including objects that were never uploaded and only had a grant. */
  readonly objects: number;
  /** Expired grants of recordings. Their objects are in use and therefore kept. */
  readonly grants: number;
}

/**
 * Deletes orphaned uploads. An object is deleted only if this server issued its key and nothing refers to it. Any other
 * objects in the store aren't touched. Safe to run at any time, even concurrently.
 */
export async function sweepUploads(deps: SweepDependencies): Promise<SweepResult> {
  const { db, store, now } = deps;
  const unfinished = await store.uploads.deleteExpired();
  const accounts = await unreferencedGrants(db, now()).select('account_id').distinct().execute();
  let objects = 0;
  for (const { account_id: accountId } of accounts) {
    objects += await db.transaction().execute((trx) => sweepAccount(trx, deps, accountId));
  }
  const { numDeletedRows } = await db
    .deleteFrom('upload_leaves')
    .where('type', '=', 'voice_file')
    .where('expires_at', '<', new Date(now().getTime() - unusedGrantMs))
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
  { queue, now }: SweepDependencies,
  accountId: string,
): Promise<number> {
  // Registering an object as a recording or avatar takes the same lock. It either commits first, so the query below
  // skips the object, or fails because the grant has been deleted.
  await lockAccount(trx, accountId);
  const rows = await unreferencedGrants(trx, now())
    .select('key')
    .where('account_id', '=', accountId)
    .execute();
  await discardObjects(
    trx,
    queue,
    rows.map(({ key }) => key),
    now(),
  );
  return rows.length;
}

/** Selects expired grants whose objects aren't referenced. */
function unreferencedGrants(queries: Queries, now: Date) {
  const olderThan = (ms: number) => new Date(now.getTime() - ms);
  return queries
    .selectFrom('upload_leaves')
    .where((grant) =>
      grant.or([
        grant.and([
          grant('type', 'in', ['voice_file', 'avatar']),
          grant('expires_at', '<', olderThan(unusedGrantMs)),
        ]),
        grant.and([
          grant('type', '=', 'converted'),
          grant('created_at', '<', olderThan(convertedFileMs)),
        ]),
        grant.and([grant('type', '=', 'log'), grant('created_at', '<', olderThan(unusedLogMs))]),
      ]),
    )
    .where(isUnreferenced);
}

/** SQL condition: no row refers to the grant's object. */
const isUnreferenced = sql<boolean>`
  not exists (select from recordings where object_key = upload_leaves.key)
  and not exists (select from tasks where audio_key = upload_leaves.key)
  and not exists (select from accounts where avatar = upload_leaves.key)
  and not exists (select from feedback where log_key = upload_leaves.key)`;
