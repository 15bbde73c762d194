import type { DeliveryFailure, WebhookEnding } from '@linnet/contract/webhooks';
import { sql } from 'kysely';
import type { Transaction } from '../../db/database.ts';

/**
 * Disables webhooks. Their waiting deliveries are listed as failed. Webhooks that are already disabled keep their
 * reason.
 */
export async function disableWebhooks(
  trx: Transaction,
  which: { readonly id: string } | { readonly accountId: string },
  reason: WebhookEnding,
  now: Date,
): Promise<void> {
  const disabled = await trx
    .updateTable('webhooks')
    .set({ disabled_at: now, disabled_reason: reason, wake_at: null })
    .$if('id' in which, (query) => query.where('id', '=', 'id' in which ? which.id : ''))
    .$if('accountId' in which, (query) =>
      query.where('account_id', '=', 'accountId' in which ? which.accountId : ''),
    )
    .where('disabled_at', 'is', null)
    .returning('id')
    .execute();
  if (disabled.length === 0) return;
  await trx
    .updateTable('webhook_deliveries')
    .set({
      status: 'failed',
      failure: sql<DeliveryFailure>`coalesce(failure, 'disabled')`,
      due_at: null,
      gathers: false,
    })
    .where(
      'webhook_id',
      'in',
      disabled.map(({ id }) => id),
    )
    .where('status', '=', 'waiting')
    .execute();
}
