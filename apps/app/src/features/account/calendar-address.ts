import type { Client } from '@linnet/contract/client';
import type { CalendarAddressService } from '../../ports/calendar-address.ts';

export function createCalendarAddress(client: Pick<Client, 'call'>): CalendarAddressService {
  return {
    async get() {
      const result = await client.call('calendar/get', {});
      return result.ok ? { ok: true, data: result.data.url } : result;
    },
    async create() {
      const result = await client.call('calendar/create', {});
      return result.ok ? { ok: true, data: result.data.url } : result;
    },
    async revoke() {
      const result = await client.call('calendar/revoke', {});
      return result.ok ? { ok: true, data: null } : result;
    },
  };
}
