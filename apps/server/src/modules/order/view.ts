import type { Order, Subscription } from '@linnet/contract';
import type { Row } from '../../db/database.ts';

/** Converts an order to the contract's `Order`. */
export function toOrder(row: Row<'orders'>): Order {
  return {
    id: row.id,
    plan: row.plan,
    price: row.price,
    currency: row.currency,
    status: row.status,
    created_at: row.created_at.toISOString(),
    paid_at: row.paid_at?.toISOString() ?? null,
  };
}

/** Converts a subscription to the contract's `Subscription`. Returns null if it has ended. */
export function toSubscription(
  row: Pick<Row<'subscriptions'>, 'plan' | 'status' | 'period_end'> | undefined,
  { vip_expires_at: paidUntil }: Pick<Row<'accounts'>, 'vip_expires_at'>,
  now: Date,
): Subscription | null {
  if (!row || row.status === 'ended') return null;
  // A canceled or past-due subscription ends with the paid period.
  const end = row.status === 'active' ? row.period_end : (paidUntil ?? row.period_end);
  if (row.status === 'canceled' && end <= now) return null;
  return { plan: row.plan, status: row.status, period_end: end.toISOString() };
}
