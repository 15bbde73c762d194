import type { PlanId } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { createRateLimiter } from '../src/http/rate-limit.ts';
import { billingJob } from '../src/jobs/billing.ts';
import { createMinutes } from '../src/modules/minutes/service.ts';
import type { Fulfillment } from '../src/modules/order/fulfillment.ts';
import { createFulfillment } from '../src/modules/order/fulfillment.ts';
import { createOrderService } from '../src/modules/order/service.ts';
import { createOperations } from '../src/modules/sync/operations.ts';
import { createAccountLanguages } from '../src/modules/user/languages.ts';
import type { SandboxChoice } from '../src/providers/payment/sandbox.ts';
import type { Account, TestServer } from './server.ts';

const log = pino({ level: 'silent' });

/** Creates an order and presses a button on its checkout page. */
export async function buy(
  server: TestServer,
  account: Account,
  plan: PlanId,
  choice: SandboxChoice = 'success',
): Promise<string> {
  const { data, msg } = await server.call('user/pay', { plan }, { token: account.access });
  if (!data) throw new Error(`order rejected: ${msg}`);
  const response = await choose(server, data.pay_url, choice);
  if (response.statusCode !== 303) throw new Error(`checkout returned ${response.statusCode}`);
  return data.order_id;
}

/** Presses a button on a checkout page. */
export function choose(server: TestServer, payUrl: string, choice: string) {
  const { pathname, search } = new URL(payUrl);
  return server.app.inject({
    method: 'POST',
    url: `${pathname}${search}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `choice=${choice}`,
  });
}

/** Creates the fulfillment module with the server's clock. */
export function createTestFulfillment({ db, queue, now }: TestServer): Fulfillment {
  return createFulfillment({ db, queue, minutes: createMinutes({ unlimited: false, now }), now });
}

/** Runs the billing job with the server's clock. */
export async function runBilling(server: TestServer): Promise<void> {
  const { db, payment, now } = server;
  const fulfillment = createTestFulfillment(server);
  await billingJob({ db, payment, fulfillment, log, now })({}, new AbortController().signal);
}

/** Refunds an order with the operator's command. */
export async function refundOrder(server: TestServer, id: string): Promise<void> {
  const { db, queue, payment, config, now } = server;
  const orders = createOrderService({
    db,
    log,
    queue,
    limiter: createRateLimiter(db, new Uint8Array(32)),
    payment,
    prices: config.prices,
    fulfillment: createTestFulfillment(server),
    languages: createAccountLanguages(
      createOperations({ db, queue, minutes: createMinutes({ unlimited: false, now }), now }),
    ),
    now,
  });
  await orders.refund(id);
}

/** Advances the clock to a time, and runs each due job once. */
export async function advanceClockTo(server: TestServer, time: Date | string): Promise<void> {
  server.advanceClock((new Date(time).getTime() - server.now().getTime()) / 1000);
  await runBilling(server);
}
