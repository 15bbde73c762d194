import type { PlanId } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { createRateLimiter } from '../src/http/rate-limit.ts';
import { billingJob } from '../src/jobs/billing.ts';
import { createMinutes } from '../src/modules/minutes/service.ts';
import type { Fulfilment } from '../src/modules/order/fulfilment.ts';
import { createFulfilment } from '../src/modules/order/fulfilment.ts';
import { createOrderService } from '../src/modules/order/service.ts';
import type { SandboxChoice } from '../src/providers/payment/sandbox.ts';
import type { Account, TestServer } from './server.ts';

const log = pino({ level: 'silent' });

/** Makes an order and chooses at its checkout page, as a browser would. */
export async function buy(
  server: TestServer,
  account: Account,
  plan: PlanId,
  choice: SandboxChoice = 'success',
): Promise<string> {
  const { data, msg } = await server.call('user/pay', { plan }, { token: account.access });
  if (!data) throw new Error(`the order was refused: ${msg}`);
  const response = await choose(server, data.pay_url, choice);
  if (response.statusCode !== 303) throw new Error(`the checkout answered ${response.statusCode}`);
  return data.order_id;
}

/** Presses a button of a checkout page. */
export function choose(server: TestServer, payUrl: string, choice: string) {
  const { pathname, search } = new URL(payUrl);
  return server.app.inject({
    method: 'POST',
    url: `${pathname}${search}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `choice=${choice}`,
  });
}

/** What acts on payments, by the server's clock. */
export function fulfilmentOf({ db, queue, now }: TestServer): Fulfilment {
  return createFulfilment({ db, queue, minutes: createMinutes({ unlimited: false, now }), now });
}

/** Runs the job "billing" by the server's clock. */
export async function runBilling(server: TestServer): Promise<void> {
  const { db, payment, now } = server;
  const fulfilment = fulfilmentOf(server);
  await billingJob({ db, payment, fulfilment, log, now })({}, new AbortController().signal);
}

/** Refunds an order as an operator does. */
export async function refundOrder(server: TestServer, id: string): Promise<void> {
  const { db, queue, payment, config, now } = server;
  const orders = createOrderService({
    db,
    log,
    queue,
    limiter: createRateLimiter(db, new Uint8Array(32)),
    payment,
    prices: config.prices,
    fulfilment: fulfilmentOf(server),
    now,
  });
  await orders.refund(id);
}

/** Moves the clock to a time, and runs what is due on the way, once. */
export async function passTo(server: TestServer, time: Date | string): Promise<void> {
  server.pass((new Date(time).getTime() - server.now().getTime()) / 1000);
  await runBilling(server);
}
