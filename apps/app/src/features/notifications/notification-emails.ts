import type { CallData } from '@linnet/contract';
import type { Client } from '@linnet/contract/client';
import type {
  NotificationEmails,
  NotificationEmailsService,
} from '../../ports/notification-emails.ts';

/** @param timeZone returns the IANA time zone, which determines when to-dos are due */
export function createNotificationEmails(
  client: Pick<Client, 'call'>,
  timeZone: () => string = () => Intl.DateTimeFormat().resolvedOptions().timeZone,
): NotificationEmailsService {
  return {
    async get() {
      const result = await client.call('mail/get', {});
      return result.ok ? { ok: true, data: toMails(result.data) } : result;
    },
    async set(events) {
      const body = { events: [...events], time_zone: timeZone() };
      const result = await client.call('mail/set', body);
      return result.ok ? { ok: true, data: toMails(result.data) } : result;
    },
  };
}

const toMails = ({ available, email, events }: CallData<'mail/get'>): NotificationEmails =>
  available ? { status: 'available', email, events } : { status: 'unavailable' };
