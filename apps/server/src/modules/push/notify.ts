/** Requests notifications, in the transaction of the change they report. */
import type { NotificationEvent } from '@linnet/contract/notifications';
import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import { activeSubscriptions } from './subscriptions.ts';

export interface NotifyDependencies {
  readonly queue: Queue;
  readonly now: () => Date;
}

/** Notifies the user that a recording has a transcript. Without subscriptions, costs only one index lookup. */
export async function notifyOfTranscript(
  trx: Transaction,
  { queue, now }: NotifyDependencies,
  { accountId, recordingId }: { readonly accountId: string; readonly recordingId: string },
): Promise<void> {
  const event: NotificationEvent = 'transcript';
  const subscriptions = await activeSubscriptions(trx)
    .select('session_id')
    .where('push_subscriptions.account_id', '=', accountId)
    .where(sql<boolean>`events ? ${event}`)
    .execute();
  const at = now().toISOString();
  for (const { session_id: sessionId } of subscriptions) {
    await queue.enqueue(trx, 'send-push', { kind: event, sessionId, recordingId, at });
  }
}
