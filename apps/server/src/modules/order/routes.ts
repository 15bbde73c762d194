import { acceptedLanguage } from '../../http/accepted-language.ts';
import type { DefineCall } from '../../http/calls.ts';
import type { OrderService } from './service.ts';

export function orderRoutes(call: DefineCall, orders: OrderService): void {
  call('user/plans', async () => orders.plans());
  call('user/pay', (body, caller, { origin, request }) =>
    orders.pay(caller, body, origin, acceptedLanguage(request.headers)),
  );
  call('user/orderRecord', (page, caller) => orders.list(caller.accountId, page));
  call('user/order', ({ id }, caller) => orders.find(caller.accountId, id));
  call('user/restore', (_body, caller) => orders.restore(caller.accountId));
  call('user/cancelRenewal', (_body, caller) => orders.cancelRenewal(caller));
}
