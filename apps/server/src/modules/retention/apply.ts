import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { obstacle, selectMatching } from './eligible.ts';
import type { RetentionParts } from './service.ts';

/** Recordings per transaction. Others that change the account wait for it. */
const batchSize = 100;

/** Returns the accounts with a rule that may act now. Closed accounts are about to be erased. */
export async function accountsWithDueRules({
  db,
  now,
}: Pick<RetentionParts, 'db' | 'now'>): Promise<string[]> {
  const rows = await db
    .selectFrom('retention_rules')
    .innerJoin('accounts', 'accounts.id', 'retention_rules.account_id')
    .select('account_id')
    .distinct()
    .where('acts_at', '<=', now())
    .where('closed_at', 'is', null)
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id: id }) => id);
}

/**
 * Applies an account's rules: moves up to `limits.retention.moves` recordings to the recycle bin, in batches, and records
 * them. The rest follows on the next day. If it is interrupted, the batches that were committed remain.
 * @returns the number of recordings
 */
export async function applyRules(
  parts: RetentionParts,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  const runs = new Map<string, string>();
  let total = 0;
  while (total < limits.retention.moves) {
    signal.throwIfAborted();
    const moved = await moveBatch(parts, accountId, runs, limits.retention.moves - total);
    if (moved === 0) break;
    total += moved;
  }
  return total;
}

/**
 * Moves a batch of one rule's recordings. Reads the rules under the lock of the account, so that none acts after the
 * call that changed or deleted it has returned.
 * @param runs the runs of this application by the ID of their rule
 */
async function moveBatch(
  { db, operations, now }: RetentionParts,
  accountId: string,
  runs: Map<string, string>,
  max: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const rules = await trx
      .selectFrom('retention_rules')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('acts_at', '<=', now())
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    for (const rule of rules) {
      const rows = await selectMatching(trx, accountId, rule, now())
        .select(['recordings.id', 'client_flag'])
        .where(obstacle, 'is', null)
        .orderBy('recorded_at')
        .orderBy('recordings.id')
        .limit(Math.min(batchSize, max))
        .execute();
      if (rows.length === 0) continue;
      await operations.perform(
        trx,
        accountId,
        rows.map(({ client_flag: recording }) => ({ type: 'recording.bin', recording })),
      );
      const runId = runs.get(rule.id) ?? (await insertRun(trx, rule, now()));
      await recordMoves(
        trx,
        runId,
        rows.map(({ id }) => id),
      );
      runs.set(rule.id, runId);
      return rows.length;
    }
    return 0;
  });
}

async function insertRun(
  trx: Transaction,
  { account_id, tag, after, unit }: Row<'retention_rules'>,
  now: Date,
): Promise<string> {
  const id = uuidv7();
  await trx
    .insertInto('retention_runs')
    .values({ id, account_id, tag, after, unit, started_at: now })
    .execute();
  return id;
}

/** Records moved recordings with the time at which they entered the recycle bin. */
async function recordMoves(
  trx: Transaction,
  runId: string,
  recordingIds: readonly string[],
): Promise<void> {
  await sql`
    insert into retention_moves (run_id, recording_id, binned_at)
    select ${runId}, id, binned_at from recordings where id = any(${recordingIds}::uuid[])`.execute(
    trx,
  );
}
