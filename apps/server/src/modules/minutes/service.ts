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
 * The ledger of transcription minutes: grants give, charges of tasks take. A charge is reserved when
 * the task is made, settled in the transaction that marks it done, or released. Monthly VIP minutes go
 * first, then free ones, then packages. Every writing call runs in a transaction that has locked the
 * account (`nextRevision`), so that ten tasks at once cannot spend the same minute.
 */
export interface Minutes {
  /** Gives minutes once: a second grant with the same ref gives none, but may make the first last longer. */
  grant(queries: Queries, grant: NewGrant): Promise<void>;
  /** Writes nothing: monthly minutes that nothing was reserved of yet are counted as if they were given. */
  balance(queries: Queries, account: Vip): Promise<Balance>;
  /**
   * @param account as it is under the lock
   * @throws CallError notEnoughMinutes, when nothing was reserved
   */
  reserve(trx: Transaction, account: Vip, taskId: string, minutes: number): Promise<void>;
  /**
   * Takes `minutes` for good and gives back what was reserved beyond.
   * @throws CallError notEnoughMinutes when more is needed than was reserved and is left
   */
  settle(trx: Transaction, account: Vip, taskId: string, minutes: number): Promise<void>;
  /** Minutes reserved for a task. */
  reserved(queries: Queries, taskId: string): Promise<number>;
  /** Gives everything reserved back. */
  release(trx: Transaction, taskId: string): Promise<void>;
  /** Takes a grant back, as far as it is not spent or reserved; what is released later is gone too. */
  withdraw(trx: Transaction, accountId: string, ref: string): Promise<void>;
  /** Ends the monthly minutes of a membership with it. */
  endMonthly(trx: Transaction, accountId: string, end: Date): Promise<void>;
}

export interface NewGrant {
  readonly accountId: string;
  readonly purse: Purse;
  readonly minutes: number;
  /** What it is given for, such as `registration` or `order:…`. */
  readonly ref: string;
  readonly expiresAt?: Date;
}

/** With BILLING=off nobody runs out; this is what the balance shows. */
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
          // Never so of what has no end: that compares as unknown.
          .whereRef('minute_grants.expires_at', '<', 'excluded.expires_at'),
      )
      .execute();
  };

  /** The present month's minutes of a paid VIP, which go when it ends; null for all others. */
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

  /** Grants that may be spent, in the order in which they are spent. */
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

/** A task's reserved charges, in the order in which they were reserved. */
function reservedBy(trx: Queries, taskId: string) {
  return trx
    .selectFrom('minute_charges')
    .select(['id', 'minutes'])
    .where('task_id', '=', taskId)
    .where('state', '=', 'reserved')
    .orderBy('id')
    .execute();
}

/** Started minutes: what a recording of so many seconds costs. */
export function minutesFor(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
