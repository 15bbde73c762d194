import type { CallBody, CallData } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import type { CallName } from '@linnet/contract/routes';
import type { MembershipService } from '../../ports/membership.ts';
import type { Outcome } from '../../ports/store.ts';

const ORDERS_PER_PAGE = 20;
/** Transcriptions per page. High, because the charts need complete weeks. */
const TRANSCRIPTIONS_PER_PAGE = 100;

/** @param onChanged called when the account's membership or balance may have changed */
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
    const result = await client.call(name, body);
    return result.ok ? { ok: true, data: read(result.data) } : result;
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
      const result = await request('user/order', { id }, (data) => data);
      if (result.ok && result.data.status === 'paid') onChanged();
      return result;
    },
    orders: (page) => request('user/orderRecord', { page, limit: ORDERS_PER_PAGE }, (data) => data),
    async restore() {
      const result = await request('user/restore', {}, ({ restored }) => restored);
      if (result.ok) onChanged();
      return result;
    },
    async cancelRenewal() {
      const result = await request('user/cancelRenewal', {}, (data) => data);
      if (result.ok) onChanged();
      return result;
    },
    consumption: (page) =>
      request('radio/translateHistory', { page, limit: TRANSCRIPTIONS_PER_PAGE }, (data) => data),
  };
}
