import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Stripe } from 'stripe';
import { addMonths } from '../src/calendar.ts';
import type { TestServer } from './server.ts';

export const stripeSecrets = {
  STRIPE_SECRET_KEY: 'sk_test_standin',
  STRIPE_WEBHOOK_SECRET: 'whsec_standin',
} as const;

interface Session {
  id: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  fields: Record<string, string>;
  payment: string | null;
  subscription: string | null;
  invoice: string | null;
}
interface Subscription {
  id: string;
  status: 'active' | 'past_due' | 'canceled';
  cancelAtPeriodEnd: boolean;
  start: Date;
  /** Number of started periods. */
  periods: number;
  months: number;
  fields: Record<string, string>;
}
interface Invoice {
  id: string;
  subscription: string;
  reason: 'subscription_create' | 'subscription_cycle';
  paidAt: Date | null;
  created: Date;
  amount: number;
  currency: string;
  payment: string;
}

/**
 * A fake of the Stripe endpoints that the server uses, on loopback, because test machines cannot reach Stripe. It is
 * stateful, responds in the API version requested by the SDK, and expands only the requested fields. It verifies the
 * server's requests, not Stripe's behavior.
 */
export interface StripeStandIn {
  readonly url: string;
  /** Requests, as method and path, in order. */
  readonly requests: string[];
  /** Sessions by id, with their form fields. */
  readonly sessions: ReadonlyMap<string, Session>;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Refunded payments. */
  readonly refunded: ReadonlySet<string>;
  /** HTTP status returned for every request, if set. */
  failWith: number | null;
  /** The clock it uses. */
  now: () => Date;
  /** Pays at the checkout; `later` leaves the payment pending. */
  pay(session: string, options?: { later: true }): void;
  /** Completes a pending payment. */
  arrive(session: string): void;
  expire(session: string): void;
  /** Deletes a session. */
  forget(session: string): void;
  /** Starts the next period, with a paid or unpaid invoice. */
  renew(subscription: string, paid?: boolean): string;
  /** Pays an overdue invoice. */
  payLate(invoice: string): void;
  cancel(subscription: string): void;
  refund(payment: string, part?: true): string;
  /** The id of the first payment of a session. */
  paymentOf(session: string): string;
  close(): Promise<void>;
}

export async function startStripe(): Promise<StripeStandIn> {
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const invoices = new Map<string, Invoice>();
  const refunded = new Set<string>();
  const charges = new Map<string, { payment: string; whole: boolean }>();
  const replies = new Map<string, unknown>();
  const requests: string[] = [];
  const id = (kind: string) => `${kind}_${randomUUID()}`;
  const need = <Value>(map: ReadonlyMap<string, Value>, key: string): Value => {
    const value = map.get(key);
    if (value === undefined) throw new Refusal(404, 'resource_missing');
    return value;
  };

  function newInvoice(subscription: Subscription, reason: Invoice['reason'], paid: boolean) {
    const prefix = 'line_items[0][price_data]';
    const invoice: Invoice = {
      id: id('in'),
      subscription: subscription.id,
      reason,
      paidAt: paid ? standIn.now() : null,
      created: standIn.now(),
      amount: Number(subscription.fields[`${prefix}[unit_amount]`]),
      currency: subscription.fields[`${prefix}[currency]`] ?? '',
      payment: id('pi'),
    };
    invoices.set(invoice.id, invoice);
    return invoice;
  }

  const view = {
    session: (session: Session, expand: readonly string[]) => {
      const { subscription, invoice } = session;
      return {
        id: session.id,
        object: 'checkout.session',
        url: session.status === 'open' ? `https://checkout.stripe.example/${session.id}` : null,
        status: session.status,
        payment_status: session.payment_status,
        mode: session.fields.mode,
        client_reference_id: session.fields.client_reference_id ?? null,
        payment_intent: session.payment,
        subscription:
          subscription && expand.includes('subscription')
            ? view.subscription(need(subscriptions, subscription))
            : subscription,
        invoice:
          invoice && expand.includes('invoice.payments')
            ? view.invoice(need(invoices, invoice), true)
            : invoice,
      };
    },
    subscription: (subscription: Subscription) => ({
      id: subscription.id,
      object: 'subscription',
      status: subscription.status,
      cancel_at_period_end: subscription.cancelAtPeriodEnd,
      cancel_at: null,
      start_date: seconds(subscription.start),
      items: {
        object: 'list',
        data: [
          { id: `si_${subscription.id}`, current_period_end: seconds(periodEnd(subscription)) },
        ],
      },
    }),
    invoice: (invoice: Invoice, withPayments: boolean) => ({
      id: invoice.id,
      object: 'invoice',
      created: seconds(invoice.created),
      billing_reason: invoice.reason,
      amount_paid: invoice.paidAt ? invoice.amount : 0,
      currency: invoice.currency,
      status_transitions: { paid_at: invoice.paidAt && seconds(invoice.paidAt) },
      parent: { subscription_details: { subscription: invoice.subscription } },
      ...(withPayments && {
        payments: {
          object: 'list',
          data: invoice.paidAt
            ? [
                {
                  status: 'paid',
                  payment: { type: 'payment_intent', payment_intent: invoice.payment },
                },
              ]
            : [],
        },
      }),
    }),
    charge: (key: string) => {
      const { payment, whole } = need(charges, key);
      return { id: key, object: 'charge', payment_intent: payment, refunded: whole };
    },
  };

  function answer(method: string, path: string, fields: Record<string, string>): unknown {
    const expand = Object.entries(fields).flatMap(([name, value]) =>
      name.startsWith('expand[') ? [value] : [],
    );
    const [, resource = '', key = '', verb = ''] =
      /^\/v1\/(checkout\/sessions|[a-z]+)(?:\/([^/]+))?(?:\/([a-z]+))?$/.exec(path) ?? [];
    switch (`${method} ${resource}${key && '/:id'}${verb && `/${verb}`}`) {
      case 'POST checkout/sessions': {
        const session: Session = {
          id: id('cs'),
          status: 'open',
          payment_status: 'unpaid',
          fields,
          payment: null,
          subscription: null,
          invoice: null,
        };
        if (Number(fields['line_items[0][price_data][unit_amount]']) < 50) {
          throw new Refusal(400, 'amount_too_small');
        }
        sessions.set(session.id, session);
        return view.session(session, expand);
      }
      case 'GET checkout/sessions/:id':
        return view.session(need(sessions, key), expand);
      case 'POST checkout/sessions/:id/expire': {
        const session = need(sessions, key);
        if (session.status !== 'open') throw new Refusal(400);
        session.status = 'expired';
        return view.session(session, expand);
      }
      case 'GET subscriptions/:id':
        return view.subscription(need(subscriptions, key));
      case 'POST subscriptions/:id': {
        const subscription = need(subscriptions, key);
        if (subscription.status === 'canceled') throw new Refusal(400);
        subscription.cancelAtPeriodEnd = fields.cancel_at_period_end === 'true';
        return view.subscription(subscription);
      }
      case 'DELETE subscriptions/:id': {
        const subscription = need(subscriptions, key);
        if (subscription.status === 'canceled') throw new Refusal(404, 'resource_missing');
        subscription.status = 'canceled';
        return view.subscription(subscription);
      }
      case 'GET invoices': {
        const data = [...invoices.values()]
          .filter(({ subscription }) => subscription === fields.subscription)
          .filter(({ paidAt }) => fields.status !== 'paid' || paidAt !== null)
          .map((invoice) => view.invoice(invoice, expand.includes('data.payments')));
        return { object: 'list', has_more: false, data: data.reverse() };
      }
      case 'GET invoices/:id':
        return view.invoice(need(invoices, key), false);
      case 'GET charges/:id':
        return view.charge(key);
      case 'POST refunds': {
        const payment = fields.payment_intent ?? '';
        if (refunded.has(payment)) throw new Refusal(400, 'charge_already_refunded');
        refunded.add(payment);
        return { id: id('re'), object: 'refund', payment_intent: payment };
      }
      default:
        throw new Refusal(404);
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const method = request.method ?? 'GET';
    requests.push(`${method} ${pathname}`);
    const body = new URLSearchParams(await text(request));
    const send = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    try {
      if (standIn.failWith !== null) throw new Refusal(standIn.failWith);
      if (request.headers.authorization !== `Bearer ${stripeSecrets.STRIPE_SECRET_KEY}`) {
        throw new Refusal(401);
      }
      const once = request.headers['idempotency-key'];
      const fields = Object.fromEntries([...searchParams, ...body]);
      const known = typeof once === 'string' && replies.has(once);
      const reply = known ? replies.get(once) : answer(method, pathname, fields);
      if (typeof once === 'string') replies.set(once, reply);
      send(200, reply);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const type = error.status >= 500 ? 'api_error' : 'invalid_request_error';
      send(error.status, { error: { type, code: error.code, message: 'as told' } });
    }
  }

  const http = createServer((request, response) => void serve(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');

  const standIn: StripeStandIn = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    sessions,
    subscriptions,
    refunded,
    failWith: null,
    now: () => new Date(),

    pay(key, options) {
      const session = need(sessions, key);
      session.status = 'complete';
      if (options?.later) return;
      standIn.arrive(key);
    },

    arrive(key) {
      const session = need(sessions, key);
      session.payment_status = 'paid';
      if (session.fields.mode !== 'subscription') {
        session.payment = id('pi');
        return;
      }
      const subscription: Subscription = {
        id: id('sub'),
        status: 'active',
        cancelAtPeriodEnd: false,
        start: new Date(seconds(standIn.now()) * 1000),
        periods: 1,
        months: Number(session.fields['line_items[0][price_data][recurring][interval_count]']),
        fields: session.fields,
      };
      subscriptions.set(subscription.id, subscription);
      session.subscription = subscription.id;
      session.invoice = newInvoice(subscription, 'subscription_create', true).id;
    },

    expire(key) {
      need(sessions, key).status = 'expired';
    },

    forget(key) {
      need(sessions, key);
      sessions.delete(key);
    },

    renew(key, paid = true) {
      const subscription = need(subscriptions, key);
      subscription.periods += 1;
      subscription.status = paid ? 'active' : 'past_due';
      return newInvoice(subscription, 'subscription_cycle', paid).id;
    },

    payLate(key) {
      const invoice = need(invoices, key);
      invoice.paidAt = standIn.now();
      need(subscriptions, invoice.subscription).status = 'active';
    },

    cancel(key) {
      need(subscriptions, key).status = 'canceled';
    },

    refund(payment, part) {
      if (!part) refunded.add(payment);
      const key = id('ch');
      charges.set(key, { payment, whole: !part });
      return key;
    },

    paymentOf(key) {
      const { payment, invoice } = need(sessions, key);
      return payment ?? need(invoices, invoice ?? '').payment;
    },

    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
  return standIn;
}

class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;
  constructor(status: number, code?: string) {
    super(`refused with ${status}`);
    this.status = status;
    this.code = code;
  }
}

const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

function periodEnd({ start, periods, months }: Subscription): Date {
  return addMonths(start, periods * months);
}

const { webhooks } = new Stripe(stripeSecrets.STRIPE_SECRET_KEY);

/** Sends an event like Stripe, signed by the SDK with the server's time. */
export async function sendEvent(
  server: TestServer,
  type: string,
  object: object,
  {
    id = `evt_${crypto.randomUUID()}`,
    age = 0,
    secret = stripeSecrets.STRIPE_WEBHOOK_SECRET as string,
    tamper = (payload: string) => payload,
  } = {},
) {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const timestamp = seconds(server.now()) - age;
  return server.app.inject({
    method: 'POST',
    url: '/pay/stripe/webhook',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    },
    payload: tamper(payload),
  });
}
