import { Stripe } from 'stripe';
import type { PaymentFact, PaymentProvider } from '../port.ts';
import { PaymentFailure } from '../port.ts';
import { toStripe } from './amounts.ts';
import { checkoutFact, isOver, paymentOf, subscriptionFacts } from './facts.ts';

export interface StripeProvider extends PaymentProvider {
  readonly id: 'stripe';
  /**
   * Verifies an event's signature and fetches the current state of its object, since events may arrive late, repeatedly
   * and out of order. Irrelevant events yield no facts.
   * @param raw the raw body
   * @throws SignatureRefused, and PaymentFailure if Stripe is unavailable
   */
  readEvent(
    raw: Buffer,
    signature: string,
  ): Promise<{ readonly id: string; readonly facts: readonly PaymentFact[] }>;
}

/** The event's signature is invalid or too old. */
export class SignatureRefused extends Error {
  override readonly name = 'SignatureRefused';
}

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Base URL of the API. */
  readonly url: string;
  readonly now: () => Date;
}

/** Below `limits.requestTimeoutMs`, since a client is waiting for the checkout. */
const timeoutMs = 8000;
/** Maximum age of an event: the SDK's default. Stripe signs resent events again. */
const toleranceSeconds = 300;

/** Payment through Stripe: hosted checkout, subscriptions, signed events. */
export function createStripe(options: StripeOptions): StripeProvider {
  const { hostname, port, protocol } = new URL(options.url);
  const stripe = new Stripe(options.secretKey, {
    host: hostname,
    ...(port !== '' && { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  });

  const retrieveCheckout = (ref: string) =>
    stripe.checkout.sessions.retrieve(ref, { expand: ['subscription', 'invoice.payments'] });
  const fetchCheckout = (ref: string) =>
    ask(async () => checkoutFact(await retrieveCheckout(ref), options.now()));
  const fetchSubscription = (ref: string) =>
    ask(async () => {
      const askedAt = options.now();
      const subscription = await stripe.subscriptions.retrieve(ref);
      const invoices = await stripe.invoices.list({
        subscription: ref,
        status: 'paid',
        expand: ['data.payments'],
      });
      return subscriptionFacts(subscription, invoices.data, askedAt);
    });

  /** Applies an operation to a subscription, unless it has already ended. */
  async function unlessOver(ref: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      if (!isOver(await stripe.subscriptions.retrieve(ref))) throw error;
    }
  }

  return {
    id: 'stripe',
    fetchCheckout,
    fetchSubscription: ({ ref }) => fetchSubscription(ref),

    openCheckout: ({ orderId, email, name, price, months, origin, returnPath }) =>
      ask(async () => {
        const back = (status: string) => `${origin}${returnPath}?order=${orderId}&status=${status}`;
        const recurring = { interval: 'month', interval_count: months } as const;
        const metadata = { order: orderId };
        const session = await stripe.checkout.sessions.create(
          {
            mode: months > 0 ? 'subscription' : 'payment',
            client_reference_id: orderId,
            customer_email: email,
            metadata,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  ...toStripe(price),
                  product_data: { name },
                  ...(months > 0 && { recurring }),
                },
              },
            ],
            ...(months > 0
              ? { subscription_data: { metadata } }
              : { payment_intent_data: { metadata } }),
            success_url: back('success'),
            cancel_url: back('cancel'),
          },
          { idempotencyKey: `checkout:${orderId}` },
        );
        if (session.url === null) throw new PaymentFailure('refused', 'a checkout without a page');
        return { ref: session.id, url: session.url };
      }),

    closeCheckout: (ref) =>
      ask(async () => {
        try {
          await stripe.checkout.sessions.expire(ref);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          const { status } = await stripe.checkout.sessions.retrieve(ref);
          if (status === 'open') throw error;
        }
      }),

    cancelRenewal: (ref) =>
      ask(() =>
        unlessOver(ref, () => stripe.subscriptions.update(ref, { cancel_at_period_end: true })),
      ),

    endSubscription: (ref) => ask(() => unlessOver(ref, () => stripe.subscriptions.cancel(ref))),

    refund: (ref) =>
      ask(async () => {
        try {
          await stripe.refunds.create({ payment_intent: ref }, { idempotencyKey: `refund:${ref}` });
        } catch (error) {
          const { errors } = Stripe;
          const done =
            error instanceof errors.StripeInvalidRequestError &&
            error.code === 'charge_already_refunded';
          if (!done) throw error;
        }
      }),

    async readEvent(raw, signature) {
      const event = verify(raw, signature);
      return { id: event.id, facts: await factsOf(event) };
    },
  };

  function verify(raw: Buffer, signature: string): Stripe.Event {
    try {
      return stripe.webhooks.constructEvent(
        raw,
        signature,
        options.webhookSecret,
        toleranceSeconds,
        undefined,
        options.now().getTime(),
      );
    } catch (cause) {
      throw new SignatureRefused('the event is not signed as it should be', { cause });
    }
  }

  async function factsOf(event: Stripe.Event): Promise<readonly PaymentFact[]> {
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.expired':
      case 'checkout.session.async_payment_succeeded': {
        const fact = await fetchCheckout(event.data.object.id);
        return fact ? [fact] : [];
      }
      case 'checkout.session.async_payment_failed': {
        // The session alone does not distinguish this from a payment still in progress.
        const fact = await fetchCheckout(event.data.object.id);
        return fact?.state === 'processing' ? [{ ...fact, state: 'failed' }] : fact ? [fact] : [];
      }
      case 'invoice.paid':
      case 'invoice.payment_failed': {
        const invoice = await ask(() => stripe.invoices.retrieve(event.data.object.id ?? ''));
        const ref = invoice.parent?.subscription_details?.subscription;
        return ref ? fetchSubscription(typeof ref === 'string' ? ref : ref.id) : [];
      }
      case 'customer.subscription.updated':
      case 'customer.subscription.deleted':
        return fetchSubscription(event.data.object.id);
      case 'charge.refunded': {
        const charge = await ask(() => stripe.charges.retrieve(event.data.object.id));
        const ref = paymentOf(charge.payment_intent);
        // Partial refunds are a matter between operator and customer.
        return charge.refunded && ref !== null ? [{ kind: 'refund', paymentRef: ref }] : [];
      }
      default:
        return [];
    }
  }
}

/** Converts SDK errors to PaymentFailure. */
async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    const { errors } = Stripe;
    if (!(error instanceof errors.StripeError)) throw error;
    const refused =
      error instanceof errors.StripeInvalidRequestError ||
      error instanceof errors.StripeCardError ||
      error instanceof errors.StripeIdempotencyError;
    const detail = [error.type, error.code].filter(Boolean).join(' ');
    throw new PaymentFailure(refused ? 'refused' : 'unavailable', detail, error);
  }
}
