import type { AffectedRecording, CallData, CallInput, RetentionRule } from '@linnet/contract';
import { wholeSeconds } from '@linnet/contract/durations';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database, Queries, Row } from '../../db/database.ts';
import { lockAccount } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { CallError } from '../../http/failure.ts';
import type { Operations } from '../sync/operations.ts';
import { databaseTime, startClock } from './clock.ts';
import { affectedColumns, obstacleAt, selectMatching } from './eligible.ts';

/** Manages the rules that move old recordings to the recycle bin, and undoes their runs. */
export interface Retention {
  /** Lists the rules, oldest first. */
  list(accountId: string): Promise<CallData<'retention/index'>>;
  /** Returns the recordings that a rule would move now. */
  preview(
    accountId: string,
    rule: CallInput<'retention/preview'>,
  ): Promise<CallData<'retention/preview'>>;
  /**
   * Creates, changes or confirms a rule. It takes effect after `limits.retention.delayMs`.
   * @throws CallError limitReached, notFound
   */
  save(accountId: string, rule: CallInput<'retention/save'>): Promise<RetentionRule>;
  /**
   * Deletes a rule.
   * @throws CallError notFound
   */
  delete(accountId: string, id: string): Promise<void>;
  /** Lists the runs that moved recordings, newest first. */
  runs(accountId: string, paging: CallInput<'retention/runs'>): Promise<CallData<'retention/runs'>>;
  /**
   * Lists the recordings that a run moved, oldest first.
   * @throws CallError notFound
   */
  moved(
    accountId: string,
    query: CallInput<'retention/moved'>,
  ): Promise<CallData<'retention/moved'>>;
  /**
   * Restores the recordings that a run moved and that have stayed in the recycle bin since the run. Returns their
   * number.
   * @throws CallError notFound
   */
  undo(accountId: string, id: string): Promise<number>;
}

export interface RetentionDependencies {
  readonly db: Database;
  readonly operations: Operations;
  /** Returns the time used for the rules. Defaults to the database's clock. */
  readonly time?: (queries: Queries) => Promise<Date>;
}

/** SQL condition for a recording that has been in the recycle bin since its row of `retention_moves`. */
const isStillInBin = sql<boolean>`(recordings.is_del = 1 and recordings.binned_at = retention_moves.binned_at)`;

export function createRetention({
  db,
  operations,
  time = databaseTime,
}: RetentionDependencies): Retention {
  const selectRules = (queries: Queries, accountId: string) =>
    queries
      .selectFrom('retention_rules')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id');

  /**
   * Checks that a run exists.
   * @throws CallError notFound
   */
  async function checkRun(queries: Queries, accountId: string, id: string) {
    const run = isId(id)
      ? await queries
          .selectFrom('retention_runs')
          .select('id')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .executeTakeFirst()
      : undefined;
    if (!run) throw new CallError('notFound');
  }

  const selectMoves = (queries: Queries, runId: string) =>
    queries
      .selectFrom('retention_moves')
      .innerJoin('recordings', 'recordings.id', 'retention_moves.recording_id')
      .where('run_id', '=', runId);

  return {
    list: async (accountId) => ({
      list: (await selectRules(db, accountId).execute()).map(toRule),
    }),

    async preview(accountId, { limit, page, ...rule }) {
      const now = await time(db);
      const obstacle = obstacleAt(now);
      const selectMatchingRecordings = () => selectMatching(db, accountId, rule, now);
      const counts = await selectMatchingRecordings()
        .select(obstacle.as('obstacle'))
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .groupBy(sql.ref('obstacle'))
        .execute();
      const getCount = (name: (typeof counts)[number]['obstacle']) =>
        counts.find((row) => row.obstacle === name)?.count ?? 0;
      const rows = await selectMatchingRecordings()
        .select(affectedColumns)
        .where(obstacle, 'is', null)
        .orderBy('recorded_at')
        .orderBy('recordings.id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      return {
        list: rows.map((row) => toAffectedRecording(row, false)),
        total: getCount(null),
        page,
        limit,
        protected: getCount('protected'),
        not_stored: getCount('not_stored'),
        transcribing: getCount('transcribing'),
        shared: getCount('shared'),
      };
    },

    save: (accountId, { id, ...scope }) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const rules = await selectRules(trx, accountId).execute();
        const now = await time(trx);
        await startClock(trx, now);
        const waiting = {
          acts_at: new Date(now.getTime() + limits.retention.delayMs),
          paused: null,
        };
        if (id === undefined) {
          if (rules.length >= limits.retention.rules) {
            const message = `An account can have at most ${limits.retention.rules} retention rules. Delete a rule first.`;
            throw new CallError('limitReached', message);
          }
          const rule = {
            id: uuidv7(),
            account_id: accountId,
            created_at: now,
            ...waiting,
            ...scope,
          };
          await trx.insertInto('retention_rules').values(rule).execute();
          return toRule(rule);
        }
        const storedRule = rules.find((rule) => rule.id === id.toLowerCase());
        if (!storedRule) throw new CallError('notFound');
        const isSame =
          storedRule.tag === scope.tag &&
          storedRule.after === scope.after &&
          storedRule.unit === scope.unit;
        if (isSame && storedRule.paused === null) return toRule(storedRule);
        await trx
          .updateTable('retention_rules')
          .set({ ...scope, ...waiting })
          .where('id', '=', storedRule.id)
          .execute();
        return toRule({ ...storedRule, ...scope, ...waiting });
      }),

    delete: (accountId, id) =>
      db.transaction().execute(async (trx) => {
        // The lock ensures that the rule moves nothing after this call has returned.
        await lockAccount(trx, accountId);
        const deleted = isId(id)
          ? await trx
              .deleteFrom('retention_rules')
              .where('account_id', '=', accountId)
              .where('id', '=', id)
              .returning('id')
              .executeTakeFirst()
          : undefined;
        if (!deleted) throw new CallError('notFound');
      }),

    async runs(accountId, { limit, page }) {
      const selectRuns = () =>
        db.selectFrom('retention_runs').where('retention_runs.account_id', '=', accountId);
      const rows = await selectRuns()
        .leftJoinLateral(
          ({ selectFrom }) =>
            selectFrom('retention_moves')
              .innerJoin('recordings', 'recordings.id', 'retention_moves.recording_id')
              .whereRef('run_id', '=', 'retention_runs.id')
              .select(({ fn }) => fn.countAll<number>().as('moved'))
              .select(sql<number>`count(*) filter (where ${isStillInBin})`.as('in_bin'))
              .as('moves'),
          (join) => join.onTrue(),
        )
        .select(['retention_runs.id', 'tag', 'after', 'unit', 'started_at', 'moved', 'in_bin'])
        .orderBy('retention_runs.id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await selectRuns()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const list = rows.map(({ started_at, moved, in_bin, ...row }) => ({
        ...row,
        started_at: started_at.toISOString(),
        moved: moved ?? 0,
        in_bin: in_bin ?? 0,
      }));
      return { list, total, page, limit };
    },

    async moved(accountId, { id, limit, page }) {
      await checkRun(db, accountId, id);
      const rows = await selectMoves(db, id)
        .select(affectedColumns)
        .select(isStillInBin.as('in_bin'))
        .orderBy('recorded_at')
        .orderBy('recordings.id')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute();
      const { total } = await selectMoves(db, id)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { list: rows.map((row) => toAffectedRecording(row, row.in_bin)), total, page, limit };
    },

    undo: (accountId, id) =>
      db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        await checkRun(trx, accountId, id);
        const rows = await selectMoves(trx, id).select('client_flag').where(isStillInBin).execute();
        const edits = rows.map(
          ({ client_flag: recording }) => ({ type: 'recording.recover', recording }) as const,
        );
        await operations.perform(trx, accountId, edits);
        return rows.length;
      }),
  };
}

function toRule({
  id,
  tag,
  after,
  unit,
  created_at,
  acts_at,
  paused,
}: Row<'retention_rules'>): RetentionRule {
  const times = { created_at: created_at.toISOString(), acts_at: acts_at.toISOString() };
  return { id, tag, after, unit, ...times, paused };
}

function toAffectedRecording(
  {
    id,
    client_flag,
    recorded_at,
    total_time,
    title,
  }: Pick<Row<'recordings'>, 'id' | 'client_flag' | 'recorded_at' | 'total_time'> & {
    readonly title: string;
  },
  isInBin: boolean,
): AffectedRecording {
  return {
    id,
    client_flag,
    title,
    recorded_at: recorded_at.toISOString(),
    total_time: wholeSeconds(total_time),
    in_bin: isInBin,
  };
}
