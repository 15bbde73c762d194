import type { DefineCall } from '../../http/calls.ts';
import type { NotificationEmails } from './service.ts';

export function notificationMailRoutes(call: DefineCall, mails: NotificationEmails): void {
  call('mail/get', (_body, { accountId }) => mails.get(accountId));
  call('mail/set', (body, { accountId }) => mails.set(accountId, body));
}
