import { createRateLimiter } from '../http/rate-limit.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { createFulfillment } from '../modules/order/fulfillment.ts';
import { createOrderService } from '../modules/order/service.ts';
import { createOperations } from '../modules/sync/operations.ts';
import { createAccountLanguages } from '../modules/user/languages.ts';
import { selectPayment } from '../providers/payment/index.ts';
import { loadKeys } from '../secrets.ts';
import { command } from './command.ts';
import { withQueue } from './with-queue.ts';

export const orderCommands = [
  command({
    name: 'orders refund',
    description: 'refund an order and revoke its benefits',
    positionals: { id: 'the order ID' },
    run: (context, { id }) =>
      withQueue(context, async (queue, log) => {
        const { config, db, now } = context;
        const keys = await loadKeys(config);
        const minutes = createMinutes({ unlimited: config.BILLING === 'off', now });
        const orders = createOrderService({
          db,
          log,
          queue,
          limiter: createRateLimiter(db, keys.rateLimit),
          payment: await selectPayment(config, keys, now),
          prices: config.prices,
          fulfillment: createFulfillment({ db, queue, minutes, now }),
          languages: createAccountLanguages(createOperations({ db, queue, minutes, now })),
          now,
        });
        await orders.refund(id);
        return 'the order is refunded';
      }),
  }),
];
