/**
 * Guards the rules against wrong clocks. To a server whose clock has jumped forward, all recordings are old. The rules
 * therefore use the clock of the database, and wait for their owners if it isn't about a day after their previous
 * application.
 */
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import type { Database, Queries, Transaction } from '../../db/database.ts';

/** Returns the time by the clock of the database. */
export async function databaseTime(queries: Queries): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(queries);
  const [row] = rows;
  if (!row) throw new Error('the database returned no time');
  return row.at;
}

/** Notes the time from which the first application is measured. Has no effect if the rules were applied before. */
export async function startClock(trx: Transaction, at: Date): Promise<void> {
  await trx
    .insertInto('retention_clock')
    .values({ ran_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Notes that the rules are applied at a time, and pauses all of them if that is too long after or before the previous
 * application. Both happen in one transaction, so that a retry doesn't act either.
 * @returns whether it paused them
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
