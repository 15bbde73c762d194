import { createCallGroup } from './groups.ts';

const call = createCallGroup('orders');

export const orderCalls = {
  'user/leftMinute': call(
    'balanceGet',
    'Get the balance of minutes',
    'Returns the available minutes by source, and the minutes reserved by running tasks.',
  ),
  'user/plans': call(
    'planList',
    'List the plans',
    'Returns the memberships and minute packages for sale.',
  ),
  'user/pay': call(
    'orderCreate',
    'Order a plan',
    'Creates an order and returns the URL of the checkout page.',
  ),
  'user/order': call('orderGet', 'Get an order', 'Returns an order and its status.'),
  'user/orderRecord': call(
    'orderList',
    'List the orders',
    "Returns the account's orders, newest first.",
  ),
  'user/restore': call(
    'orderRestore',
    'Restore purchases',
    'Checks all pending orders with the payment service, in case a payment notification was lost. Returns the orders found to be paid.',
  ),
  'user/cancelRenewal': call(
    'membershipCancelRenewal',
    'Turn off renewal',
    'Turns off automatic renewal. The membership lasts until the end of the paid period.',
  ),
};
