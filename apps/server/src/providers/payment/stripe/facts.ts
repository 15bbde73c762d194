import type { Stripe } from 'stripe';
import type { CheckoutFact, PaymentFact, SubscriptionFact } from '../port.ts';
import { fromStripe } from './amounts.ts';

const date = (unixSeconds: number) => new Date(unixSeconds * 1000);

/** The fact in a checkout session, in which `invoice.payments` and `subscription` are expanded. */
export function checkoutFact(session: Stripe.Checkout.Session, now: Date): CheckoutFact | null {
  if (session.client_reference_id === null) return null;
  const head = { kind: 'checkout', orderId: session.client_reference_id } as const;
  if (session.status === 'expired') return { ...head, state: 'expired' };
  if (session.status !== 'complete') return { ...head, state: 'open' };
  if (session.payment_status === 'unpaid') return { ...head, state: 'processing' };
  const { subscription, invoice } = session;
  if (subscription === null || typeof subscription === 'string') {
    const paymentRef = paymentOf(session.payment_intent) ?? session.id;
    return { ...head, state: 'paid', paidAt: now, paymentRef };
  }
  const paid = invoice === null || typeof invoice === 'string' ? null : invoicePayment(invoice);
  return {
    ...head,
    state: 'paid',
    paidAt: date(subscription.start_date),
    paymentRef: paid ?? session.id,
    subscription: { ref: subscription.id, ...periodEnd(subscription) },
  };
}

/** The facts in a subscription and its paid invoices, oldest first. */
export function subscriptionFacts(
  subscription: Stripe.Subscription,
  paidInvoices: readonly Stripe.Invoice[],
  askedAt: Date,
): PaymentFact[] {
  const ref = subscription.id;
  const renewals = paidInvoices
    // The first period's invoice belongs to the checkout.
    .filter(({ billing_reason: reason }) => reason === 'subscription_cycle')
    .toSorted((a, b) => a.created - b.created)
    .map((invoice) => {
      const id = invoice.id ?? '';
      return {
        kind: 'renewal',
        subscriptionRef: ref,
        ref: id,
        paymentRef: invoicePayment(invoice) ?? id,
        paidAt: date(invoice.status_transitions.paid_at ?? invoice.created),
        price: fromStripe(invoice.amount_paid, invoice.currency),
      } as const;
    });
  const status = statusOf(subscription);
  return status === null
    ? renewals
    : [...renewals, { kind: 'subscription', ref, status, askedAt, ...periodEnd(subscription) }];
}

/** Whether a subscription has ended. */
export function isOver({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** Null for one that never started. */
function statusOf(subscription: Stripe.Subscription): SubscriptionFact['status'] | null {
  switch (subscription.status) {
    case 'active':
    case 'trialing':
      // Newer billing modes and dates set in the dashboard use the second property.
      return subscription.cancel_at_period_end || subscription.cancel_at !== null
        ? 'canceled'
        : 'active';
    case 'past_due':
      return 'past_due';
    case 'incomplete':
      return null;
    default:
      return 'ended';
  }
}

function periodEnd(subscription: Stripe.Subscription): { periodEnd?: Date } {
  const [item] = subscription.items.data;
  return item ? { periodEnd: date(item.current_period_end) } : {};
}

/** The payment of an invoice. */
function invoicePayment({ payments }: Stripe.Invoice): string | null {
  const paid = payments?.data.find(({ status }) => status === 'paid');
  return paymentOf(paid?.payment.payment_intent ?? null);
}

/** The id of a payment, expanded or not. */
export function paymentOf(payment: string | Stripe.PaymentIntent | null): string | null {
  return typeof payment === 'string' ? payment : (payment?.id ?? null);
}
