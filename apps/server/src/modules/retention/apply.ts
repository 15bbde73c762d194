import type { AutomaticMove } from '@linnet/contract';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Row, Transaction } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { obstacleAt, selectMatching } from './eligible.ts';
import type { RetentionDependencies } from './service.ts';

/** Recordings per transaction. The transaction locks the account, so large batches would delay other writers. */
const batchSize = 100;

/** Returns the accounts with an active rule. Skips closed accounts, which are about to be erased. */
export async function accountsWithDueRules(db: Database, at: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('retention_rules')
    .innerJoin('accounts', 'accounts.id', 'retention_rules.account_id')
    .select('account_id')
    .distinct()
    .where('acts_at', '<=', at)
    .where('paused', 'is', null)
    .where('closed_at', 'is', null)
    .orderBy('account_id')
    .execute();
  return rows.map(({ account_id: id }) => id);
}

/**
 * Applies an account's rules: moves recordings to the recycle bin in batches, and records the moves. Moves at most
 * `limits.retention.moves` recordings per day, even if called several times; the rest follows the next day. If
 * interrupted, keeps the batches committed so far.
 * @returns the number of moved recordings
 */
export async function applyRules(
  deps: RetentionDependencies,
  accountId: string,
  at: Date,
  signal: AbortSignal,
): Promise<number> {
  const runs = new Map<string, string>();
  for (let total = 0; ; ) {
    signal.throwIfAborted();
    const movedCount = await moveBatch(deps, accountId, at, runs);
    if (movedCount === 0) return total;
    total += movedCount;
  }
}

/**
 * Moves a batch of one rule's recordings. Reads the rules after locking the account, so a rule can't take effect after
 * the call that changed or deleted it has returned.
 * @param runs the runs created so far, keyed by their rule's ID
 */
async function moveBatch(
  { db, operations }: RetentionDependencies,
  accountId: string,
  at: Date,
  runs: Map<string, string>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    const max = limits.retention.moves - (await countMoves(trx, accountId, startOfDay(at)));
    if (max <= 0) return 0;
    const rules = await trx
      .selectFrom('retention_rules')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('acts_at', '<=', at)
      .where('paused', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    for (const rule of rules) {
      const rows = await selectMatching(trx, accountId, rule, at)
        .select(['recordings.id', 'client_flag'])
        .where(obstacleAt(at), 'is', null)
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
      const runId = runs.get(rule.id) ?? (await insertRun(trx, rule, at));
      const ids = rows.map(({ id }) => id);
      const movedCount = await recordMoves(trx, ids, toMove(rule, runId, at));
      runs.set(rule.id, runId);
      return movedCount;
    }
    return 0;
  });
}

/** Returns how many recordings the account's rules have moved since a time. */
async function countMoves(trx: Transaction, accountId: string, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('retention_runs')
    .select(sql<number>`coalesce(sum(move_count), 0)`.as('count'))
    .where('account_id', '=', accountId)
    .where('started_at', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the start of the UTC day that contains a time. */
const startOfDay = (at: Date) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));

const toMove = (
  { tag, after, unit }: Row<'retention_rules'>,
  run: string,
  at: Date,
): AutomaticMove => ({ run, tag, after, unit, at: at.toISOString() });

async function insertRun(
  trx: Transaction,
  { account_id, tag, after, unit }: Row<'retention_rules'>,
  at: Date,
): Promise<string> {
  const id = uuidv7();
  await trx
    .insertInto('retention_runs')
    .values({ id, account_id, tag, after, unit, started_at: at })
    .execute();
  return id;
}

/**
 * Records moved recordings with the time when they entered the recycle bin, and marks them as moved by the run.
 * @returns the number of recordings that are now in the recycle bin
 */
async function recordMoves(
  trx: Transaction,
  recordingIds: readonly string[],
  move: AutomaticMove,
): Promise<number> {
  const { rows } = await sql`
    insert into retention_moves (run_id, recording_id, binned_at)
    select ${move.run}, id, binned_at from recordings where id = any(${recordingIds}::uuid[]) and is_del = 1
    returning recording_id`.execute(trx);
  await trx
    .updateTable('recordings')
    .set({ binned_by: JSON.stringify(move) })
    .where('id', '=', sql<string>`any(${recordingIds}::uuid[])`)
    .where('is_del', '=', 1)
    .execute();
  await trx
    .updateTable('retention_runs')
    .set((row) => ({ move_count: row('move_count', '+', rows.length) }))
    .where('id', '=', move.run)
    .execute();
  return rows.length;
}
