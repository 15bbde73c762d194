import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { addMonths, monthsBetween } from '../../calendar.ts';
import type { Queries, Row, Transaction } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';

type Purse = Row<'minute_grants'>['purse'];
type Vip = Pick<Row<'accounts'>, 'id' | 'vip_plan' | 'vip_started_at' | 'vip_expires_at'>;

export interface Balance {
  readonly left: number;
  readonly purses: Readonly<Record<Purse, number>>;
  readonly reserved: number;
}

/**
 * The ledger of transcription minutes: grants add, task charges subtract. A charge is reserved when the task is created,
 * then settled in the transaction that completes it, or released. Monthly VIP minutes are spent first, then free ones,
 * then packages. Every write runs in a transaction that has locked the account (`nextRevision`), so that concurrent
 * tasks cannot spend the same minute.
 */
export interface Minutes {
  /** Grants minutes once per ref: a second grant with the same ref adds none, but may extend the first. */
  grant(queries: Queries, grant: NewGrant): Promise<void>;
  /** Reads the balance without writing: unused monthly minutes count even before their grant is stored. */
  balance(queries: Queries, account: Vip): Promise<Balance>;
  /**
   * @param account as read under the lock
   * @throws CallError notEnoughMinutes, in which case nothing is reserved
   */
  reserve(trx: Transaction, account: Vip, taskId: string, minutes: number): Promise<void>;
  /**
   * Charges `minutes` and releases the rest of the reservation.
   * @throws CallError notEnoughMinutes if `minutes` exceeds the reservation plus the balance
   */
  settle(trx: Transaction, account: Vip, taskId: string, minutes: number): Promise<void>;
  /** Minutes reserved for a task. */
  reserved(queries: Queries, taskId: string): Promise<number>;
  /** Releases the task's reservation. */
  release(trx: Transaction, taskId: string): Promise<void>;
  /** Withdraws the unspent, unreserved part of a grant; minutes released later are withdrawn too. */
  withdraw(trx: Transaction, accountId: string, ref: string): Promise<void>;
  /** Expires the monthly minutes of a membership at its end. */
  endMonthly(trx: Transaction, accountId: string, end: Date): Promise<void>;
}

export interface NewGrant {
  readonly accountId: string;
  readonly purse: Purse;
  readonly minutes: number;
  /** Reason for the grant, such as `registration` or `order:…`. */
  readonly ref: string;
  readonly expiresAt?: Date;
}

/** The balance shown with BILLING=off, where minutes are unlimited. */
const unlimitedMinutes = 999_999;

export function createMinutes(options: { unlimited: boolean; now: () => Date }): Minutes {
  const { unlimited, now } = options;

  const grant: Minutes['grant'] = async (
    queries,
    { accountId, purse, minutes, ref, expiresAt },
  ) => {
    await queries
      .insertInto('minute_grants')
      .values({
        id: uuidv7(),
        account_id: accountId,
        purse,
        minutes,
        ref,
        expires_at: expiresAt ?? null,
        created_at: now(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'ref'])
          .doUpdateSet(({ ref: column }) => ({ expires_at: column('excluded.expires_at') }))
          // Never true for a grant without an expiry, since a comparison with null is unknown.
          .whereRef('minute_grants.expires_at', '<', 'excluded.expires_at'),
      )
      .execute();
  };

  /** The current month's minutes of a paid VIP, which expire with the month; null without one. */
  function monthlyGrant(account: Vip): NewGrant | null {
    const paid = account.vip_plan !== null && account.vip_plan !== 'trial';
    if (!paid || !account.vip_started_at || !account.vip_expires_at) return null;
    if (account.vip_expires_at <= now()) return null;
    const month = monthsBetween(account.vip_started_at, now());
    const end = addMonths(account.vip_started_at, month + 1);
    return {
      accountId: account.id,
      purse: 'vip',
      minutes: limits.minutes.vipPerMonth,
      ref: `vip:${account.vip_started_at.toISOString()}:${month}`,
      expiresAt: new Date(Math.min(end.getTime(), account.vip_expires_at.getTime())),
    };
  }

  /** Spendable grants, in the order of spending. */
  function open(queries: Queries, account: Vip, monthly: NewGrant | null) {
    return queries
      .selectFrom('minute_grants as given')
      .leftJoin('minute_charges as charge', (join) =>
        join.onRef('charge.grant_id', '=', 'given.id').on('charge.state', '!=', 'released'),
      )
      .select(['given.id', 'given.purse', 'given.ref'])
      .select(sql<number>`(given.minutes - coalesce(sum(charge.minutes), 0))::int`.as('left'))
      .where('given.account_id', '=', account.id)
      .where((where) =>
        where.or([
          where('given.expires_at', 'is', null),
          where('given.expires_at', '>', now()),
          where('given.ref', '=', monthly?.ref ?? ''),
        ]),
      )
      .groupBy('given.id')
      .orderBy(sql`array_position(array['vip', 'free', 'package'], given.purse)`)
      .orderBy('given.expires_at')
      .orderBy('given.id')
      .execute();
  }

  const reserve: Minutes['reserve'] = async (trx, account, taskId, minutes) => {
    if (unlimited) return;
    const monthly = monthlyGrant(account);
    if (monthly) await grant(trx, monthly);
    let missing = minutes;
    for (const { id, left } of await open(trx, account, monthly)) {
      const taken = Math.min(left, missing);
      if (taken <= 0) continue;
      missing -= taken;
      await trx
        .insertInto('minute_charges')
        .values({
          id: uuidv7(),
          grant_id: id,
          account_id: account.id,
          task_id: taskId,
          minutes: taken,
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
    if (missing > 0) throw new CallError('notEnoughMinutes');
  };

  return {
    grant,
    reserve,

    async balance(queries, account) {
      const purses: Record<Purse, number> = { vip: 0, free: 0, package: 0 };
      const monthly = monthlyGrant(account);
      const grants = await open(queries, account, monthly);
      for (const { purse, left } of grants) purses[purse] += left;
      if (monthly && !grants.some(({ ref }) => ref === monthly.ref)) {
        purses[monthly.purse] += monthly.minutes;
      }
      const { reserved } = await queries
        .selectFrom('minute_charges')
        .select(sql<number>`coalesce(sum(minutes), 0)::int`.as('reserved'))
        .where('account_id', '=', account.id)
        .where('state', '=', 'reserved')
        .executeTakeFirstOrThrow();
      const left = unlimited ? unlimitedMinutes : purses.vip + purses.free + purses.package;
      return { left, purses, reserved };
    },

    async reserved(queries, taskId) {
      if (unlimited) return 0;
      const charges = await reservedBy(queries, taskId);
      return charges.reduce((sum, charge) => sum + charge.minutes, 0);
    },

    async settle(trx, account, taskId, minutes) {
      if (unlimited) return;
      const charges = await reservedBy(trx, taskId);
      const held = charges.reduce((sum, charge) => sum + charge.minutes, 0);
      if (held < minutes) {
        await reserve(trx, account, taskId, minutes - held);
      }
      let due = minutes;
      for (const charge of await reservedBy(trx, taskId)) {
        const taken = Math.min(charge.minutes, due);
        due -= taken;
        await trx
          .updateTable('minute_charges')
          .set({ minutes: taken, state: taken > 0 ? 'settled' : 'released', closed_at: now() })
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

    async withdraw(trx, accountId, ref) {
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

/** A task's reserved charges, in order of reservation. */
function reservedBy(trx: Queries, taskId: string) {
  return trx
    .selectFrom('minute_charges')
    .select(['id', 'minutes'])
    .where('task_id', '=', taskId)
    .where('state', '=', 'reserved')
    .orderBy('id')
    .execute();
}

/** Cost of a recording: its length in minutes, rounded up. */
export function minutesFor(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
