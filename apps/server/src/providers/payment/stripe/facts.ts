import type { Stripe } from 'stripe';
import type { CheckoutFact, PaymentFact, SubscriptionFact } from '../port.ts';
import { fromStripe } from './amounts.ts';

const toDate = (unixSeconds: number) => new Date(unixSeconds * 1000);

/** Converts a checkout session to a fact. `invoice.payments` and `subscription` must be expanded. */
export function checkoutFact(session: Stripe.Checkout.Session, now: Date): CheckoutFact | null {
  if (session.client_reference_id === null) return null;
  const base = { kind: 'checkout', orderId: session.client_reference_id } as const;
  if (session.status === 'expired') return { ...base, state: 'expired' };
  if (session.status !== 'complete') return { ...base, state: 'open' };
  if (session.payment_status === 'unpaid') return { ...base, state: 'processing' };
  const { subscription, invoice } = session;
  if (subscription === null || typeof subscription === 'string') {
    const paymentRef = getPaymentId(session.payment_intent) ?? session.id;
    return { ...base, state: 'paid', paidAt: now, paymentRef };
  }
  const paidPayment =
    invoice === null || typeof invoice === 'string' ? null : invoicePayment(invoice);
  return {
    ...base,
    state: 'paid',
    paidAt: toDate(subscription.start_date),
    paymentRef: paidPayment ?? session.id,
    subscription: { ref: subscription.id, ...getPeriodEnd(subscription) },
  };
}

/** Converts a subscription and its paid invoices to facts, oldest first. */
export function subscriptionFacts(
  subscription: Stripe.Subscription,
  paidInvoices: readonly Stripe.Invoice[],
  queriedAt: Date,
): PaymentFact[] {
  const ref = subscription.id;
  const renewals = paidInvoices
    // The invoice for the first period belongs to the checkout.
    .filter(({ billing_reason: reason }) => reason === 'subscription_cycle')
    .toSorted((a, b) => a.created - b.created)
    .map((invoice) => {
      const id = invoice.id ?? '';
      return {
        kind: 'renewal',
        subscriptionRef: ref,
        ref: id,
        paymentRef: invoicePayment(invoice) ?? id,
        paidAt: toDate(invoice.status_transitions.paid_at ?? invoice.created),
        price: fromStripe(invoice.amount_paid, invoice.currency),
      } as const;
    });
  const status = toStatus(subscription);
  return status === null
    ? renewals
    : [
        ...renewals,
        { kind: 'subscription', ref, status, queriedAt, ...getPeriodEnd(subscription) },
      ];
}

/** Returns whether a subscription has ended. */
export function hasEnded({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/** Returns a subscription's status, or null if it never started. */
function toStatus(subscription: Stripe.Subscription): SubscriptionFact['status'] | null {
  switch (subscription.status) {
    case 'active':
    case 'trialing':
      // Newer billing modes, and dates set in the dashboard, use `cancel_at`.
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

function getPeriodEnd(subscription: Stripe.Subscription): { periodEnd?: Date } {
  const [item] = subscription.items.data;
  return item ? { periodEnd: toDate(item.current_period_end) } : {};
}

/** Returns the ID of the payment for an invoice. */
function invoicePayment({ payments }: Stripe.Invoice): string | null {
  const paidPayment = payments?.data.find(({ status }) => status === 'paid');
  return getPaymentId(paidPayment?.payment.payment_intent ?? null);
}

/** Returns the ID of a payment, expanded or not. */
export function getPaymentId(payment: string | Stripe.PaymentIntent | null): string | null {
  return typeof payment === 'string' ? payment : (payment?.id ?? null);
}
