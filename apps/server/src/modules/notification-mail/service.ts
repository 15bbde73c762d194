import type { CallData, CallInput } from '@linnet/contract';
import type { NotificationEvent } from '@linnet/contract/notifications';
import { type Database, lockAccount, type Queries } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import { nextLookup } from '../push/due-todos.ts';

/** Manages which events an account is emailed about. */
export interface NotificationEmails {
  get(accountId: string): Promise<CallData<'mail/get'>>;
  /** @throws CallError badRequest if the server can't send mail */
  set(accountId: string, choices: CallInput<'mail/set'>): Promise<CallData<'mail/set'>>;
  /** Turns off all emails. */
  unsubscribe(accountId: string): Promise<void>;
}

export interface NotificationEmailsDependencies {
  readonly db: Database;
  readonly sendsMail: boolean;
  readonly now: () => Date;
}

export function createNotificationEmails({
  db,
  sendsMail,
  now,
}: NotificationEmailsDependencies): NotificationEmails {
  const read = (queries: Queries, accountId: string) =>
    queries
      .selectFrom('notification_mails')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();

  async function view(
    accountId: string,
    events: readonly NotificationEvent[],
  ): Promise<CallData<'mail/get'>> {
    const { email } = await db
      .selectFrom('accounts')
      .select('email')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return { available: sendsMail, email, events: sendsMail ? [...events] : [] };
  }

  async function unsubscribe(accountId: string): Promise<void> {
    await db.deleteFrom('notification_mails').where('account_id', '=', accountId).execute();
  }

  return {
    unsubscribe,

    get: async (accountId) => view(accountId, (await read(db, accountId))?.events ?? []),

    async set(accountId, { events, time_zone }) {
      if (events.length === 0) {
        await unsubscribe(accountId);
        return view(accountId, []);
      }
      if (!sendsMail) throw new CallError('badRequest', "This server doesn't send mail.");
      await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const previous = await read(trx, accountId);
        const values = {
          ...{ events: JSON.stringify(events), time_zone },
          todos_at: events.includes('todos') ? nextLookup(now(), time_zone, previous) : null,
          ...(!events.includes('transcript') && { digest_at: null }),
        };
        await trx
          .insertInto('notification_mails')
          .values({ account_id: accountId, ...values })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
          .execute();
        if (!events.includes('transcript')) {
          await trx.deleteFrom('waiting_transcripts').where('account_id', '=', accountId).execute();
        }
      });
      return view(accountId, events);
    },
  };
}
