/**
 * Protects recordings against wrong clocks: if the server's clock jumped forward, all recordings would appear old. The
 * rules therefore use the database's clock, and are paused until their users confirm them if the time since the
 * previous run is implausible (`limits.retention.maxGapMs`).
 */
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Queries, Transaction } from '../../db/database.ts';

/** Returns the current time of the database's clock. */
export async function databaseTime(queries: Queries): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(queries);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.at;
}

/** Stores the time that the first run is measured from, unless the rules have already run. */
export async function startClock(trx: Transaction, at: Date): Promise<void> {
  await trx
    .insertInto('retention_clock')
    .values({ ran_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Stores the time of a run, and pauses all rules if it is too long after, or before, the previous run. Both happen in
 * one transaction, so a retry doesn't move recordings either.
 * @returns whether the rules were paused
 */
export async function checkClock(db: Database, at: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const previous = await trx
      .selectFrom('retention_clock')
      .select('ran_at')
      .forUpdate()
      .executeTakeFirst();
    await trx
      .insertInto('retention_clock')
      .values({ ran_at: at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ ran_at: at }))
      .execute();
    if (previous) {
      const gapMs = Math.abs(at.getTime() - previous.ran_at.getTime());
      if (gapMs <= limits.retention.maxGapMs) return false;
    }
    await trx
      .updateTable('retention_rules')
      .set({ paused: 'clock' })
      .where('paused', 'is', null)
      .execute();
    return true;
  });
}
