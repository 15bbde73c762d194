import type { OrderStatus, PlanId } from '@linnet/contract';
import type { CreatedAt } from '../../db/columns.ts';

/** Tables for orders and payments. */
export interface OrderTables {
  orders: {
    id: string;
    account_id: string | null;
    email: string;
    plan: PlanId;
    price: number;
    currency: string;
    status: OrderStatus;
    provider: 'sandbox' | 'stripe';
    /** The payment service's ID of the checkout, of the subscription (once paid), or of a renewal's invoice. */
    provider_ref: string | null;
    /** The payment service's ID of the payment, used for refunds. */
    payment_ref: string | null;
    return_path: string;
    created_at: Date;
    paid_at: Date | null;
    closed_at: Date | null;
  };
  subscriptions: {
    id: string;
    account_id: string;
    plan: PlanId;
    status: 'active' | 'past_due' | 'canceled' | 'ended';
    period_end: Date;
    provider: 'sandbox' | 'stripe';
    provider_ref: string;
    /** When the payment service was last queried for the status. */
    asked_at: Date;
    created_at: Date;
  };
  payment_events: { provider: string; event_id: string; created_at: CreatedAt };
}
