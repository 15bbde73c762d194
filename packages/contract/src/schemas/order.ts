import { z } from 'zod';
import { orderStatuses, planIds } from '../statuses.ts';
import { id, listOf, nothing, paging, time } from './common.ts';

/** An amount of money in the currency's smallest unit, such as cents. */
const amount = z.int().min(0);
const currency = z.string().length(3);
const planId = z.enum(planIds);

export const plan = z.object({
  id: planId,
  /** A membership renews itself every `months`; a package gives `minutes` once. */
  kind: z.enum(['membership', 'package']),
  /** 0 for a package. */
  months: z.int(),
  /** Each month of a membership; once for a package. */
  minutes: z.int(),
  price: amount,
  /** What it costs without the saving; equal to price where there is none. */
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
    /** Where the checkout returns to, a path of the app; it gets ?order=…&status=success|fail|cancel. */
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
 * Asks the payment service about every order that still waits, so that a payment whose news got lost counts.
 * `restored`: the orders that were found paid by this.
 */
export const restore = { body: nothing, data: z.object({ restored: z.array(order) }) };

/** What runs and renews itself; null when nothing does. */
export const subscription = z.object({
  plan: planId,
  /** past_due: a renewal failed and is tried again. canceled: runs out at `period_end`. */
  status: z.enum(['active', 'past_due', 'canceled']),
  period_end: time,
});

/** Ends the renewal; what was paid for stays until it runs out. */
export const cancelRenewal = { body: nothing, data: subscription };
