/**
 * The payment provider for Stripe. It always fetches an object's current state instead of trusting the content of
 * events.
 */
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { Stripe } from 'stripe';
import type { PaymentFact, PaymentProvider } from '../port.ts';
import { PaymentFailure } from '../port.ts';
import { toStripe } from './amounts.ts';
import { checkoutFact, getPaymentId, hasEnded, subscriptionFacts } from './facts.ts';

export interface StripeProvider extends PaymentProvider {
  readonly id: 'stripe';
  /**
   * Verifies an event's signature and fetches the current state of the event's object, because events may arrive late,
   * repeatedly and out of order. Irrelevant events yield no facts.
   * @param raw the raw request body
   * @throws InvalidSignature; PaymentFailure if Stripe is unavailable
   */
  readEvent(
    raw: Buffer,
    signature: string,
  ): Promise<{ readonly id: string; readonly facts: readonly PaymentFact[] }>;
}

/** Thrown if an event's signature is invalid or too old. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
}

export interface StripeOptions {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Base URL of the API. */
  readonly url: string;
  readonly now: () => Date;
}

/**
 * Timeout per request in milliseconds. Shorter than `limits.requestTimeoutMs`, because a client is waiting for the
 * checkout.
 */
const timeoutMs = 8000;
/** Maximum age of an event in seconds, equal to the SDK's default. Stripe re-signs events that it resends. */
const toleranceSeconds = 300;

/** The locales of Stripe's checkout. Arabic isn't supported, so the browser's language is used for it. */
const checkoutLocales: Readonly<
  Record<InterfaceLanguage, Stripe.Checkout.SessionCreateParams.Locale>
> = {
  en: 'en',
  'zh-Hans': 'zh',
  ar: 'auto',
  ja: 'ja',
  ko: 'ko',
  th: 'th',
  ru: 'ru',
  es: 'es',
  pt: 'pt-BR',
  fr: 'fr',
};

/** Creates a provider that uses Stripe's hosted checkout, subscriptions and signed events. */
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
    callStripe(async () => checkoutFact(await retrieveCheckout(ref), options.now()));
  const fetchSubscription = (ref: string) =>
    callStripe(async () => {
      const queriedAt = options.now();
      const subscription = await stripe.subscriptions.retrieve(ref);
      const invoices = await stripe.invoices.list({
        subscription: ref,
        status: 'paid',
        expand: ['data.payments'],
      });
      return subscriptionFacts(subscription, invoices.data, queriedAt);
    });

  /** Applies an operation to a subscription, unless it has already ended. */
  async function ignoreIfEnded(ref: string, operation: () => Promise<unknown>): Promise<void> {
    try {
      await operation();
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      if (!hasEnded(await stripe.subscriptions.retrieve(ref))) throw error;
    }
  }

  return {
    id: 'stripe',
    fetchCheckout,
    fetchSubscription: ({ ref }) => fetchSubscription(ref),

    openCheckout: ({ orderId, email, name, language, price, months, origin, returnPath }) =>
      callStripe(async () => {
        const returnUrl = (status: string) =>
          `${origin}${returnPath}?order=${orderId}&status=${status}`;
        const recurring = { interval: 'month', interval_count: months } as const;
        const metadata = { order: orderId };
        const session = await stripe.checkout.sessions.create(
          {
            mode: months > 0 ? 'subscription' : 'payment',
            client_reference_id: orderId,
            locale: checkoutLocales[language],
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
            success_url: returnUrl('success'),
            cancel_url: returnUrl('cancel'),
          },
          { idempotencyKey: `checkout:${orderId}` },
        );
        if (session.url === null) throw new PaymentFailure('refused', 'the checkout has no URL');
        return { ref: session.id, url: session.url };
      }),

    closeCheckout: (ref) =>
      callStripe(async () => {
        try {
          await stripe.checkout.sessions.expire(ref);
        } catch (error) {
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          const { status } = await stripe.checkout.sessions.retrieve(ref);
          if (status === 'open') throw error;
        }
      }),

    cancelRenewal: (ref) =>
      callStripe(() =>
        ignoreIfEnded(ref, () => stripe.subscriptions.update(ref, { cancel_at_period_end: true })),
      ),

    endSubscription: (ref) =>
      callStripe(() => ignoreIfEnded(ref, () => stripe.subscriptions.cancel(ref))),

    refund: (ref) =>
      callStripe(async () => {
        try {
          await stripe.refunds.create({ payment_intent: ref }, { idempotencyKey: `refund:${ref}` });
        } catch (error) {
          const { errors } = Stripe;
          const isAlreadyRefunded =
            error instanceof errors.StripeInvalidRequestError &&
            error.code === 'charge_already_refunded';
          if (!isAlreadyRefunded) throw error;
        }
      }),

    async readEvent(raw, signature) {
      const event = verify(raw, signature);
      return { id: event.id, facts: await toFacts(event) };
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
      throw new InvalidSignature('invalid event signature', { cause });
    }
  }

  async function toFacts(event: Stripe.Event): Promise<readonly PaymentFact[]> {
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.expired':
      case 'checkout.session.async_payment_succeeded': {
        const fact = await fetchCheckout(event.data.object.id);
        return fact ? [fact] : [];
      }
      case 'checkout.session.async_payment_failed': {
        // The session looks as if the payment were still in progress. Only the event shows that it failed.
        const fact = await fetchCheckout(event.data.object.id);
        return fact?.state === 'processing' ? [{ ...fact, state: 'failed' }] : fact ? [fact] : [];
      }
      case 'invoice.paid':
      case 'invoice.payment_failed': {
        const invoice = await callStripe(() =>
          stripe.invoices.retrieve(event.data.object.id ?? ''),
        );
        const ref = invoice.parent?.subscription_details?.subscription;
        return ref ? fetchSubscription(typeof ref === 'string' ? ref : ref.id) : [];
      }
      case 'customer.subscription.updated':
      case 'customer.subscription.deleted':
        return fetchSubscription(event.data.object.id);
      case 'charge.refunded': {
        const charge = await callStripe(() => stripe.charges.retrieve(event.data.object.id));
        const ref = getPaymentId(charge.payment_intent);
        // Partial refunds have no effect here, because operators arrange those with the customer.
        return charge.refunded && ref !== null ? [{ kind: 'refund', paymentRef: ref }] : [];
      }
      default:
        return [];
    }
  }
}

/** Converts SDK errors to PaymentFailure. */
async function callStripe<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (error) {
    const { errors } = Stripe;
    if (!(error instanceof errors.StripeError)) throw error;
    const isRefused =
      error instanceof errors.StripeInvalidRequestError ||
      error instanceof errors.StripeCardError ||
      error instanceof errors.StripeIdempotencyError;
    const detail = [error.type, error.code].filter(Boolean).join(' ');
    throw new PaymentFailure(isRefused ? 'refused' : 'unavailable', detail, error);
  }
}
