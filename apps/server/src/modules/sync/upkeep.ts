/** Maintenance of the log of operations, run by housekeeping. */
import { sql } from 'kysely';
import { dayMs } from '../../calendar.ts';
import type { Database } from '../../db/database.ts';

/** The time span whose operations are deleted in one transaction, in milliseconds. */
const spanMs = 7 * dayMs;

/**
 * Deletes operations received before a time that no longer have an effect: those that another operation of the register
 * has replaced, those that were superseded or refused, and those of erased recordings. Keeps the last operation of each
 * register, which resolves conflicts, and all texts of paragraphs, which make up their history.
 *
 * A register whose last operation is replaced later is visited again when the new operation reaches that age, so that
 * each run reads only the operations that have reached it since the previous run.
 * @returns the number of deleted operations
 */
export async function deleteReplacedOperations(db: Database, before: Date): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { pruned_before: from } = await db
      .selectFrom('operation_pruning')
      .select('pruned_before')
      .executeTakeFirstOrThrow();
    if (from >= before) return deleted;
    const to = new Date(Math.min(before.getTime(), from.getTime() + spanMs));
    deleted += await db.transaction().execute(async (trx) => {
      const { numAffectedRows } = await sql`
        with reached as (
          select distinct account_id, register from operations
          where created_at >= ${from} and created_at < ${to}
        )
        delete from operations using reached
        where operations.account_id = reached.account_id and operations.register = reached.register
          and operations.created_at < ${to}
          and (operations.value is null or operations.type <> 'paragraph.edit' and (
            operations.outcome <> 'applied' or exists (
              select from operations as later
              where later.account_id = operations.account_id and later.register = operations.register
                and later.outcome = 'applied' and later.rev > operations.rev)))`.execute(trx);
      await trx.updateTable('operation_pruning').set({ pruned_before: to }).execute();
      return Number(numAffectedRows ?? 0);
    });
  }
}
