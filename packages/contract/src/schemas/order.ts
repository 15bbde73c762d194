import { z } from 'zod';
import { orderStatuses, planIds } from '../statuses.ts';
import { id, listOf, nothing, paging, time } from './common.ts';

/** An amount of money in the currency's smallest unit, such as cents. */
const amount = z.int().min(0);
const currency = z.string().length(3);
const planId = z.enum(planIds);

export const plan = z.object({
  id: planId,
  /** A membership renews automatically every `months`; a package grants `minutes` once. */
  kind: z.enum(['membership', 'package']),
  /** 0 for a package. */
  months: z.int(),
  /** The minutes granted, per month for a membership or once for a package. */
  minutes: z.int(),
  price: amount,
  /** The undiscounted price. Equals `price` if there's no discount. */
  full_price: amount,
  currency,
});

export const plans = { body: nothing, data: z.object({ list: z.array(plan) }) };

export const order = z.object({
  id: z.string(),
  plan: planId,
  price: amount,
  currency,
  status: z.enum(orderStatuses),
  created_at: time,
  paid_at: time.nullable(),
});

export const orderRecord = { body: z.object(paging), data: listOf(order) };
export const orderState = { body: z.object({ id }), data: order };

export const pay = {
  body: z.object({
    plan: planId,
    /** The app path that the checkout returns to, with ?order=…&status=success|fail|cancel. */
    return_path: z
      .string()
      .regex(/^\/(?!\/)[\w\-./]*$/, { error: 'a path of the app' })
      .max(200)
      .default('/pages/purchaseRecord'),
  }),
  /** pay_url: the checkout page to open. */
  data: z.object({
    order_id: z.string(),
    pay_url: z.string(),
    status: z.enum(orderStatuses),
  }),
};

/**
 * Asks the payment service about all pending orders, in case a payment notification was lost. `restored` contains the
 * orders that turned out to be paid.
 */
export const restore = { body: nothing, data: z.object({ restored: z.array(order) }) };

/** The active subscription, or null. */
export const subscription = z.object({
  plan: planId,
  /** past_due: a renewal failed and will be retried. canceled: expires at `period_end`. */
  status: z.enum(['active', 'past_due', 'canceled']),
  period_end: time,
});

/** Turns off renewal. The membership lasts until the end of the paid period. */
export const cancelRenewal = { body: nothing, data: subscription };
