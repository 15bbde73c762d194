import { callsOf } from './groups.ts';

const call = callsOf('orders');

export const orderCalls = {
  'user/leftMinute': call(
    'balanceGet',
    'Get the balance of minutes',
    'Returns the available minutes by source, and the minutes that running tasks have reserved.',
  ),
  'user/plans': call(
    'planList',
    'List the plans',
    'Returns the memberships and packages of minutes for sale.',
  ),
  'user/pay': call(
    'orderCreate',
    'Order a plan',
    'Creates an order and returns the address of the checkout page.',
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
    'Asks the payment service about all pending orders, in case a payment notification was lost. Returns those that turned out to be paid.',
  ),
  'user/cancelRenewal': call(
    'membershipCancelRenewal',
    'Turn off renewal',
    'Turns off the renewal of the membership, which lasts until the end of the paid period.',
  ),
};
