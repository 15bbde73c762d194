import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { Database, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { PaymentProvider } from '../../providers/payment/port.ts';
import { stopVaults } from '../vault/stop.ts';
import type { AccountLanguages } from './languages.ts';
import type { Sessions } from './sessions.ts';
import type { Trials } from './trials.ts';

export interface ClosingDependencies {
  readonly db: Database;
  readonly queue: Queue;
  readonly sessions: Sessions;
  readonly trials: Trials;
  readonly languages: AccountLanguages;
  readonly now: () => Date;
}

export interface AccountClosing {
  /**
   * Closes an account immediately and permanently.
   * @param language language of the confirmation email; defaults to the account's language
   */
  close(accountId: string, language?: InterfaceLanguage): Promise<void>;
  /** True if an account is closed, already erased, or never existed. */
  isClosed(accountId: string): Promise<boolean>;
}

/**
 * Closes accounts permanently. One transaction disables sign-in, releases the recorders and the email address, and
 * stops renewals. Jobs then notify the payment service and erase the data (`erase-account`).
 */
export function createClosing(deps: ClosingDependencies): AccountClosing {
  const { db, queue, sessions, trials, languages, now } = deps;

  return {
    close,
    async isClosed(accountId) {
      const openAccount = await db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', accountId)
        .where('closed_at', 'is', null)
        .executeTakeFirst();
      return openAccount === undefined;
    },
  };

  async function close(accountId: string, language?: InterfaceLanguage): Promise<void> {
    await db.transaction().execute(async (trx) => {
      await nextRevision(trx, accountId);
      const { email, closed_at: closedAt } = await trx
        .selectFrom('accounts')
        .select(['email', 'closed_at'])
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      if (closedAt !== null) return;
      await trx
        .updateTable('accounts')
        .set({ email: `closed:${accountId}`, closed_at: now() })
        .where('id', '=', accountId)
        .execute();
      // Also claim the trial for accounts that predate trial tracking, so that the email can't get a second one.
      await trials.claim(trx, email);
      await sessions.revokeAll(trx, accountId);
      await trx.deleteFrom('bindings').where('account_id', '=', accountId).execute();
      await trx.deleteFrom('webhooks').where('account_id', '=', accountId).execute();
      await trx.deleteFrom('notification_mails').where('account_id', '=', accountId).execute();
      await stopVaults(trx, accountId, now());
      await trx.deleteFrom('verification_codes').where('email', '=', email).execute();
      await cancelPayments(trx, accountId);
      await trx
        .insertInto('farewells')
        .values({
          account_id: accountId,
          email,
          language: language ?? (await languages.of(trx, accountId)) ?? 'en',
          closed_at: now(),
        })
        .execute();
      await queue.enqueue(trx, 'erase-account', { accountId });
    });
  }

  /** Cancels pending orders and subscriptions, and enqueues a job that cancels them at the payment service as well. */
  async function cancelPayments(trx: Transaction, accountId: string): Promise<void> {
    const orders = await trx
      .updateTable('orders')
      .set({ status: 'canceled', closed_at: now() })
      .where('account_id', '=', accountId)
      .where('status', '=', 'pending')
      .returning(['provider', 'provider_ref'])
      .execute();
    const subscriptions = await trx
      .updateTable('subscriptions')
      .set({ status: 'ended' })
      .where('account_id', '=', accountId)
      .where('status', '!=', 'ended')
      .returning(['provider', 'provider_ref'])
      .execute();
    const getRefs = (
      rows: readonly { provider: PaymentProvider['id']; provider_ref: string | null }[],
      provider: PaymentProvider['id'],
    ) => rows.flatMap((row) => (row.provider === provider ? (row.provider_ref ?? []) : []));
    const providers = new Set([...orders, ...subscriptions].map(({ provider }) => provider));
    for (const provider of providers) {
      await queue.enqueue(trx, 'undo-payments', {
        provider,
        checkouts: getRefs(orders, provider),
        subscriptions: getRefs(subscriptions, provider),
      });
    }
  }
}
