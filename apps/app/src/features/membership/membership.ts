import type { CallBody, CallData } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import type { CallName } from '@linnet/contract/routes';
import type { MembershipService } from '../../ports/membership.ts';
import type { Outcome } from '../../ports/store.ts';

/** Orders per page. */
const ordersPerPage = 20;
/** Transcriptions per page; the charts need whole weeks. */
const consumptionPerPage = 100;

/**
 * Plans, orders and usage, from the server.
 * @param onChanged called when the account's membership or balance may have changed
 */
export function createMembership({
  client,
  onChanged,
}: {
  client: Client;
  onChanged(): void;
}): MembershipService {
  async function request<Name extends CallName, T>(
    name: Name,
    body: CallBody<Name>,
    read: (data: CallData<Name>) => T,
  ): Promise<Outcome<T, CallFailure>> {
    const answer = await client.call(name, body);
    return answer.ok ? { ok: true, data: read(answer.data) } : answer;
  }

  return {
    plans: () => request('user/plans', {}, ({ list }) => list),
    storage: () => request('user/storage', {}, (data) => data),
    balance: () => request('user/leftMinute', {}, (data) => data),
    buy: (plan, returnTo) =>
      request('user/pay', { plan, return_path: returnTo }, (data) => ({
        orderId: data.order_id,
        url: data.pay_url,
      })),
    async order(id) {
      const answer = await request('user/order', { id }, (data) => data);
      if (answer.ok && answer.data.status === 'paid') onChanged();
      return answer;
    },
    orders: (page) => request('user/orderRecord', { page, limit: ordersPerPage }, (data) => data),
    async restore() {
      const answer = await request('user/restore', {}, ({ restored }) => restored);
      if (answer.ok) onChanged();
      return answer;
    },
    async cancelRenewal() {
      const answer = await request('user/cancelRenewal', {}, (data) => data);
      if (answer.ok) onChanged();
      return answer;
    },
    consumption: (page) =>
      request('radio/translateHistory', { page, limit: consumptionPerPage }, (data) => data),
  };
}
