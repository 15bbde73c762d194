/** A stateful fake of Stripe's API for tests. */
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
  /** Number of periods that have started. */
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
 * A fake of the Stripe endpoints used by the server, on loopback, because test machines can't reach Stripe. It is
 * stateful, responds in the API version requested by the SDK, and expands only the requested fields. It verifies the
 * server's requests, not Stripe's behavior.
 */
export interface FakeStripe {
  readonly url: string;
  /** Method and path of each request, in order. */
  readonly requests: string[];
  /** Sessions by ID, with their form fields. */
  readonly sessions: ReadonlyMap<string, Session>;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** IDs of the refunded payments. */
  readonly refunded: ReadonlySet<string>;
  /** HTTP status returned for every request, or null for normal responses. */
  failWith: number | null;
  /** The fake's clock. */
  now: () => Date;
  /** Pays in the checkout; `later` leaves the payment pending. */
  pay(session: string, options?: { later: true }): void;
  /** Completes a pending payment. */
  completePayment(session: string): void;
  expire(session: string): void;
  /** Deletes a session. */
  deleteSession(session: string): void;
  /** Starts the next period with a paid or unpaid invoice. */
  renew(subscription: string, paid?: boolean): string;
  /** Pays an overdue invoice. */
  payOverdueInvoice(invoice: string): void;
  cancel(subscription: string): void;
  refund(payment: string, partial?: true): string;
  /** Returns the ID of a session's first payment. */
  getPayment(session: string): string;
  close(): Promise<void>;
}

export async function startStripe(): Promise<FakeStripe> {
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const invoices = new Map<string, Invoice>();
  const refunded = new Set<string>();
  const charges = new Map<string, { payment: string; isFull: boolean }>();
  const replies = new Map<string, unknown>();
  const requests: string[] = [];
  const id = (kind: string) => `${kind}_${randomUUID()}`;
  const getOrThrow = <Value>(map: ReadonlyMap<string, Value>, key: string): Value => {
    const value = map.get(key);
    if (value === undefined) throw new ApiError(404, 'resource_missing');
    return value;
  };

  function newInvoice(subscription: Subscription, reason: Invoice['reason'], paid: boolean) {
    const prefix = 'line_items[0][price_data]';
    const invoice: Invoice = {
      id: id('in'),
      subscription: subscription.id,
      reason,
      paidAt: paid ? fakeStripe.now() : null,
      created: fakeStripe.now(),
      amount: Number(subscription.fields[`${prefix}[unit_amount]`]),
      currency: subscription.fields[`${prefix}[currency]`] ?? '',
      payment: id('pi'),
    };
    invoices.set(invoice.id, invoice);
    return invoice;
  }

  const render = {
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
            ? render.subscription(getOrThrow(subscriptions, subscription))
            : subscription,
        invoice:
          invoice && expand.includes('invoice.payments')
            ? render.invoice(getOrThrow(invoices, invoice), true)
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
      const { payment, isFull } = getOrThrow(charges, key);
      return { id: key, object: 'charge', payment_intent: payment, refunded: isFull };
    },
  };

  function handleRequest(method: string, path: string, fields: Record<string, string>): unknown {
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
          throw new ApiError(400, 'amount_too_small');
        }
        sessions.set(session.id, session);
        return render.session(session, expand);
      }
      case 'GET checkout/sessions/:id':
        return render.session(getOrThrow(sessions, key), expand);
      case 'POST checkout/sessions/:id/expire': {
        const session = getOrThrow(sessions, key);
        if (session.status !== 'open') throw new ApiError(400);
        session.status = 'expired';
        return render.session(session, expand);
      }
      case 'GET subscriptions/:id':
        return render.subscription(getOrThrow(subscriptions, key));
      case 'POST subscriptions/:id': {
        const subscription = getOrThrow(subscriptions, key);
        if (subscription.status === 'canceled') throw new ApiError(400);
        subscription.cancelAtPeriodEnd = fields.cancel_at_period_end === 'true';
        return render.subscription(subscription);
      }
      case 'DELETE subscriptions/:id': {
        const subscription = getOrThrow(subscriptions, key);
        if (subscription.status === 'canceled') throw new ApiError(404, 'resource_missing');
        subscription.status = 'canceled';
        return render.subscription(subscription);
      }
      case 'GET invoices': {
        const data = [...invoices.values()]
          .filter(({ subscription }) => subscription === fields.subscription)
          .filter(({ paidAt }) => fields.status !== 'paid' || paidAt !== null)
          .map((invoice) => render.invoice(invoice, expand.includes('data.payments')));
        return { object: 'list', has_more: false, data: data.reverse() };
      }
      case 'GET invoices/:id':
        return render.invoice(getOrThrow(invoices, key), false);
      case 'GET charges/:id':
        return render.charge(key);
      case 'POST refunds': {
        const payment = fields.payment_intent ?? '';
        if (refunded.has(payment)) throw new ApiError(400, 'charge_already_refunded');
        refunded.add(payment);
        return { id: id('re'), object: 'refund', payment_intent: payment };
      }
      default:
        throw new ApiError(404);
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
      if (fakeStripe.failWith !== null) throw new ApiError(fakeStripe.failWith);
      if (request.headers.authorization !== `Bearer ${stripeSecrets.STRIPE_SECRET_KEY}`) {
        throw new ApiError(401);
      }
      const idempotencyKey = request.headers['idempotency-key'];
      const fields = Object.fromEntries([...searchParams, ...body]);
      const isReplay = typeof idempotencyKey === 'string' && replies.has(idempotencyKey);
      const reply = isReplay
        ? replies.get(idempotencyKey)
        : handleRequest(method, pathname, fields);
      if (typeof idempotencyKey === 'string') replies.set(idempotencyKey, reply);
      send(200, reply);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const type = error.status >= 500 ? 'api_error' : 'invalid_request_error';
      send(error.status, { error: { type, code: error.code, message: 'simulated failure' } });
    }
  }

  const http = createServer((request, response) => void serve(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');

  const fakeStripe: FakeStripe = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    sessions,
    subscriptions,
    refunded,
    failWith: null,
    now: () => new Date(),

    pay(key, options) {
      const session = getOrThrow(sessions, key);
      session.status = 'complete';
      if (options?.later) return;
      fakeStripe.completePayment(key);
    },

    completePayment(key) {
      const session = getOrThrow(sessions, key);
      session.payment_status = 'paid';
      if (session.fields.mode !== 'subscription') {
        session.payment = id('pi');
        return;
      }
      const subscription: Subscription = {
        id: id('sub'),
        status: 'active',
        cancelAtPeriodEnd: false,
        start: new Date(seconds(fakeStripe.now()) * 1000),
        periods: 1,
        months: Number(session.fields['line_items[0][price_data][recurring][interval_count]']),
        fields: session.fields,
      };
      subscriptions.set(subscription.id, subscription);
      session.subscription = subscription.id;
      session.invoice = newInvoice(subscription, 'subscription_create', true).id;
    },

    expire(key) {
      getOrThrow(sessions, key).status = 'expired';
    },

    deleteSession(key) {
      getOrThrow(sessions, key);
      sessions.delete(key);
    },

    renew(key, paid = true) {
      const subscription = getOrThrow(subscriptions, key);
      subscription.periods += 1;
      subscription.status = paid ? 'active' : 'past_due';
      return newInvoice(subscription, 'subscription_cycle', paid).id;
    },

    payOverdueInvoice(key) {
      const invoice = getOrThrow(invoices, key);
      invoice.paidAt = fakeStripe.now();
      getOrThrow(subscriptions, invoice.subscription).status = 'active';
    },

    cancel(key) {
      getOrThrow(subscriptions, key).status = 'canceled';
    },

    refund(payment, partial) {
      if (!partial) refunded.add(payment);
      const key = id('ch');
      charges.set(key, { payment, isFull: !partial });
      return key;
    },

    getPayment(key) {
      const { payment, invoice } = getOrThrow(sessions, key);
      return payment ?? getOrThrow(invoices, invoice ?? '').payment;
    },

    async close() {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
  return fakeStripe;
}

class ApiError extends Error {
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

/** Sends an event as Stripe would, signed by the SDK with the server's time. */
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
