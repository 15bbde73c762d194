import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addMonths, monthsBetween } from '../../calendar.ts';
import type { Queries, Row, Transaction } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

type MinuteSource = Row<'minute_grants'>['purse'];
type MinuteAccount = Pick<Row<'accounts'>, 'id' | 'vip_plan' | 'vip_started_at' | 'vip_expires_at'>;

/** The minutes that an account can spend, in total and by source, and the minutes reserved for tasks. */
export interface Balance {
  readonly left: number;
  readonly bySource: Readonly<Record<MinuteSource, number>>;
  readonly reserved: number;
}

/**
 * The ledger of transcription minutes. Grants add minutes, and charges for tasks subtract them. Minutes are reserved
 * when a task is created, then either charged in the transaction that completes the task or released. Monthly VIP
 * minutes are spent first, then free minutes, then packages. Every write must run in a transaction that has locked the
 * account (`nextRevision`), so concurrent tasks can't spend the same minute twice.
 */
export interface Minutes {
  /** Grants minutes. Idempotent per `ref`: a second grant adds no minutes, but may extend the first grant's expiry. */
  grant(queries: Queries, grant: NewGrant): Promise<void>;
  /** Reads the balance, including this month's VIP minutes even if their grant hasn't been stored yet. */
  balance(queries: Queries, account: MinuteAccount): Promise<Balance>;
  /**
   * Reserves additional minutes for a task.
   * @param account the account's row, read after it was locked
   * @throws CallError notEnoughMinutes; the caller must roll back the transaction
   */
  reserve(trx: Transaction, account: MinuteAccount, taskId: string, minutes: number): Promise<void>;
  /**
   * Charges minutes for a task and releases the rest of its reservation.
   * @throws CallError notEnoughMinutes if `minutes` exceeds the reservation plus the balance
   */
  settle(trx: Transaction, account: MinuteAccount, taskId: string, minutes: number): Promise<void>;
  /** Returns the minutes reserved for a task. */
  reserved(queries: Queries, taskId: string): Promise<number>;
  /** Releases the minutes reserved for a task. */
  release(trx: Transaction, taskId: string): Promise<void>;
  /**
   * Revokes a grant's unspent minutes. Minutes that are currently reserved are revoked as well if they are later
   * released.
   */
  revoke(trx: Transaction, accountId: string, ref: string): Promise<void>;
  /** Makes monthly minutes expire no later than the membership. */
  endMonthly(trx: Transaction, accountId: string, end: Date): Promise<void>;
}

/** Minutes to grant to an account. */
export interface NewGrant {
  readonly accountId: string;
  readonly source: MinuteSource;
  readonly minutes: number;
  /** Identifies the reason for the grant, such as `registration` or `order:…`. Unique per account. */
  readonly ref: string;
  readonly expiresAt?: Date;
}

/** The balance reported with BILLING=off, where minutes are unlimited. */
const unlimitedMinutes = 999_999;

export function createMinutes(options: { unlimited: boolean; now: () => Date }): Minutes {
  const { unlimited, now } = options;

  const grant: Minutes['grant'] = async (
    queries,
    { accountId, source, minutes, ref, expiresAt },
  ) => {
    await queries
      .insertInto('minute_grants')
      .values({
        id: uuidv7(),
        account_id: accountId,
        purse: source,
        minutes,
        ref,
        expires_at: expiresAt ?? null,
        created_at: now(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'ref'])
          .doUpdateSet(({ ref: column }) => ({ expires_at: column('excluded.expires_at') }))
          // A grant without an expiry never matches, because a comparison with null isn't true.
          .whereRef('minute_grants.expires_at', '<', 'excluded.expires_at'),
      )
      .execute();
  };

  /**
   * Returns the grant for this month's minutes, which expire at the end of the month, or null without a paid
   * membership.
   */
  function monthlyGrant(account: MinuteAccount): NewGrant | null {
    const isPaid = account.vip_plan !== null && account.vip_plan !== 'trial';
    if (!isPaid || !account.vip_started_at || !account.vip_expires_at) return null;
    if (account.vip_expires_at <= now()) return null;
    const month = monthsBetween(account.vip_started_at, now());
    const end = addMonths(account.vip_started_at, month + 1);
    return {
      accountId: account.id,
      source: 'vip',
      minutes: limits.minutes.vipPerMonth,
      ref: `vip:${account.vip_started_at.toISOString()}:${month}`,
      expiresAt: new Date(Math.min(end.getTime(), account.vip_expires_at.getTime())),
    };
  }

  /** Finds the unexpired grants, in the order they are spent. */
  function findSpendableGrants(queries: Queries, account: MinuteAccount, monthly: NewGrant | null) {
    return queries
      .selectFrom('minute_grants as grants')
      .leftJoin('minute_charges as charge', (join) =>
        join.onRef('charge.grant_id', '=', 'grants.id').on('charge.state', '!=', 'released'),
      )
      .select(['grants.id', 'grants.purse as source', 'grants.ref'])
      .select(sql<number>`(grants.minutes - coalesce(sum(charge.minutes), 0))::int`.as('left'))
      .where('grants.account_id', '=', account.id)
      .where((where) =>
        where.or([
          where('grants.expires_at', 'is', null),
          where('grants.expires_at', '>', now()),
          where('grants.ref', '=', monthly?.ref ?? ''),
        ]),
      )
      .groupBy('grants.id')
      .orderBy(sql`array_position(array['vip', 'free', 'package'], grants.purse)`)
      .orderBy('grants.expires_at')
      .orderBy('grants.id')
      .execute();
  }

  const reserve: Minutes['reserve'] = async (trx, account, taskId, minutes) => {
    if (unlimited) return;
    const monthly = monthlyGrant(account);
    if (monthly) await grant(trx, monthly);
    let outstanding = minutes;
    for (const { id, left } of await findSpendableGrants(trx, account, monthly)) {
      const spent = Math.min(left, outstanding);
      if (spent <= 0) continue;
      outstanding -= spent;
      await trx
        .insertInto('minute_charges')
        .values({
          id: uuidv7(),
          grant_id: id,
          account_id: account.id,
          task_id: taskId,
          minutes: spent,
          state: 'reserved',
          created_at: now(),
        })
        .onConflict((conflict) =>
          conflict.columns(['task_id', 'grant_id']).doUpdateSet({
            minutes: sql`minute_charges.minutes + excluded.minutes`,
          }),
        )
        .execute();
    }
    if (outstanding > 0) throw new CallError('notEnoughMinutes');
  };

  return {
    grant,
    reserve,

    async balance(queries, account) {
      const bySource: Record<MinuteSource, number> = { vip: 0, free: 0, package: 0 };
      const monthly = monthlyGrant(account);
      const grants = await findSpendableGrants(queries, account, monthly);
      for (const { source, left } of grants) bySource[source] += left;
      if (monthly && !grants.some(({ ref }) => ref === monthly.ref)) {
        bySource[monthly.source] += monthly.minutes;
      }
      const { reserved } = await queries
        .selectFrom('minute_charges')
        .select(sql<number>`coalesce(sum(minutes), 0)::int`.as('reserved'))
        .where('account_id', '=', account.id)
        .where('state', '=', 'reserved')
        .executeTakeFirstOrThrow();
      const remaining = unlimited
        ? unlimitedMinutes
        : bySource.vip + bySource.free + bySource.package;
      return { left: remaining, bySource, reserved };
    },

    async reserved(queries, taskId) {
      if (unlimited) return 0;
      const charges = await reservedCharges(queries, taskId);
      return charges.reduce((sum, charge) => sum + charge.minutes, 0);
    },

    async settle(trx, account, taskId, minutes) {
      if (unlimited) return;
      const charges = await reservedCharges(trx, taskId);
      const reserved = charges.reduce((sum, charge) => sum + charge.minutes, 0);
      if (reserved < minutes) {
        await reserve(trx, account, taskId, minutes - reserved);
      }
      let toCharge = minutes;
      for (const charge of await reservedCharges(trx, taskId)) {
        const spent = Math.min(charge.minutes, toCharge);
        toCharge -= spent;
        await trx
          .updateTable('minute_charges')
          .set({ minutes: spent, state: spent > 0 ? 'settled' : 'released', closed_at: now() })
          .where('id', '=', charge.id)
          .execute();
      }
    },

    async release(trx, taskId) {
      await trx
        .updateTable('minute_charges')
        .set({ state: 'released', closed_at: now() })
        .where('task_id', '=', taskId)
        .where('state', '=', 'reserved')
        .execute();
    },

    async revoke(trx, accountId, ref) {
      await trx
        .updateTable('minute_grants')
        .set({ expires_at: now() })
        .where('account_id', '=', accountId)
        .where('ref', '=', ref)
        .execute();
    },

    async endMonthly(trx, accountId, end) {
      await trx
        .updateTable('minute_grants')
        .set({ expires_at: end })
        .where('account_id', '=', accountId)
        .where('purse', '=', 'vip')
        .where('expires_at', '>', end)
        .execute();
    },
  };
}

/** Finds a task's reserved charges, in the order they were reserved. */
function reservedCharges(trx: Queries, taskId: string) {
  return trx
    .selectFrom('minute_charges')
    .select(['id', 'minutes'])
    .where('task_id', '=', taskId)
    .where('state', '=', 'reserved')
    .orderBy('id')
    .execute();
}
