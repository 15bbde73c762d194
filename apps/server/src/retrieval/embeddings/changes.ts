import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { changedRecordings, endOfPage } from '../../modules/sync/changed-recordings.ts';

/** Maximum number of accounts per run. */
const maxAccounts = 100;
/** Maximum number of changed rows per table and page. */
const pageRows = 500;

/**
 * Queues the recordings that have changed since the last run for re-embedding, by marking them in `passage_vectors`. No
 * lock is needed: marking is idempotent, and each recording is marked in a separate statement, so row locks can't
 * deadlock.
 * @param deadline time in milliseconds after which no further page is started
 */
export async function markChanges(db: Database, deadline: number): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .leftJoin('vector_revisions', 'vector_revisions.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.rev as latest', 'vector_revisions.rev as reached'])
    .where('accounts.closed_at', 'is', null)
    .where(sql<SqlBool>`accounts.rev > coalesce(vector_revisions.rev, 0)`)
    .orderBy(sql`accounts.rev - coalesce(vector_revisions.rev, 0)`, 'desc')
    .limit(maxAccounts)
    .execute();
  for (const { id: accountId, latest, reached } of accounts) {
    if (reached === null) await addAccount(db, accountId);
    for (let from = reached ?? 0; from < latest; ) {
      if (Date.now() >= deadline) return;
      const range = { accountId, from, to: latest };
      const to = await endOfPage(db, range, pageRows);
      for (const recordingId of await changedRecordings(db, { ...range, to })) {
        await mark(db, recordingId, to);
      }
      const moved = await db
        .updateTable('vector_revisions')
        .set({ rev: to })
        .where('account_id', '=', accountId)
        .where('rev', '=', from)
        .executeTakeFirstOrThrow();
      // Another process has already updated the revision, or the account was erased.
      if (moved.numUpdatedRows === 0n) break;
      from = to;
    }
  }
}

/** Adds the account's row, unless it exists or the account was erased. */
async function addAccount(db: Database, accountId: string): Promise<void> {
  await db
    .insertInto('vector_revisions')
    .columns(['account_id'])
    .expression(({ selectFrom }) => selectFrom('accounts').select('id').where('id', '=', accountId))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Marks a recording as changed, unless it was erased or has been marked for a later change. */
async function mark(db: Database, recordingId: string, rev: number): Promise<void> {
  await db
    .insertInto('passage_vectors')
    .columns(['recording_id', 'account_id', 'changed_rev'])
    .expression(({ selectFrom, val }) =>
      selectFrom('recordings')
        .select(['id', 'account_id', val(rev).as('changed_rev')])
        .where('id', '=', recordingId)
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict
        .column('recording_id')
        .doUpdateSet({ changed_rev: rev, failures: 0, retry_at: new Date(0) })
        .where('passage_vectors.changed_rev', '<', rev),
    )
    .execute();
}
