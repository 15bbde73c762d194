import { z } from 'zod';
import { orderStatuses, planIds } from '../statuses.ts';
import { id, language, nothing, pageSchema, paging, time } from './common.ts';

const amount = z
  .int()
  .min(0)
  .describe("An amount in the currency's smallest unit, such as cents for USD.");
const currency = z.string().length(3).describe('The currency (ISO 4217), such as `EUR`.');
const planId = z.enum(planIds);

export const plan = z
  .object({
    id: planId,
    kind: z
      .enum(['membership', 'package'])
      .describe(
        'A membership renews automatically every `months` months. A package grants `minutes` once.',
      ),
    months: z.int().describe('0 for a package.'),
    minutes: z
      .int()
      .describe('The minutes granted, per month for a membership or once for a package.'),
    price: amount,
    full_price: amount.describe(
      'The price to compare `price` with. Equal to `price` if `compared_with` is null.',
    ),
    compared_with: z
      .enum(['monthly', 'list'])
      .nullable()
      .optional()
      .describe(
        "The meaning of `full_price`. `monthly`: the price of the monthly plan for the same number of months. `list`: the operator's list price. Null: there is no comparison. Absent on older servers, whose `full_price` must not be shown as a former price.",
      ),
    currency,
  })
  .meta({ id: 'Plan', description: 'A plan for sale.' });

export const plans = { body: nothing, data: z.object({ list: z.array(plan) }) };

export const order = z
  .object({
    id: z.string(),
    plan: planId,
    price: amount,
    currency,
    status: z.enum(orderStatuses),
    created_at: time,
    paid_at: time.nullable(),
  })
  .meta({ id: 'Order', description: 'An order for a plan.' });

export const orderRecord = { body: z.object(paging), data: pageSchema(order) };
export const orderState = { body: z.object({ id }), data: order };

export const pay = {
  body: z.object({
    plan: planId,
    language,
    return_path: z
      .string()
      .regex(/^\/(?!\/)[\w\-./]*$/, { error: 'not a path in the app' })
      .max(200)
      .default('/pages/purchaseRecord')
      .describe(
        'The app path that the checkout returns to, with ?order=…&status=success|fail|cancel.',
      ),
  }),
  data: z
    .object({
      order_id: z.string(),
      pay_url: z.string(),
      status: z.enum(orderStatuses),
    })
    .describe('`pay_url` is the checkout page to open.'),
};

/**
 * Checks all pending orders with the payment service, in case a payment notification was lost. `restored` lists the
 * orders found to be paid.
 */
export const restore = { body: nothing, data: z.object({ restored: z.array(order) }) };

export const subscription = z
  .object({
    plan: planId,
    status: z
      .enum(['active', 'past_due', 'canceled'])
      .describe(
        '`past_due`: a renewal failed and will be retried. `canceled`: the membership expires at `period_end`.',
      ),
    period_end: time,
  })
  .meta({ id: 'Subscription', description: 'A membership that renews automatically.' });

/** Turns off auto-renewal. The membership lasts until the end of the paid period. */
export const cancelRenewal = { body: nothing, data: subscription };
