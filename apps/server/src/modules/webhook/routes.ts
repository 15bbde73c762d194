import type { DefineCall } from '../../http/calls.ts';
import type { Webhooks } from './service.ts';

export function webhookRoutes(call: DefineCall, webhooks: Webhooks): void {
  call('webhook/create', (body, { accountId }) => webhooks.create(accountId, body));
  call('webhook/index', (body, { accountId }) => webhooks.list(accountId, body));
  call('webhook/delete', async ({ id }, { accountId }) => {
    await webhooks.remove(accountId, id);
    return {};
  });
  call('webhook/enable', ({ id }, { accountId }) => webhooks.enable(accountId, id));
  call('webhook/deliveries', (body, { accountId }) => webhooks.deliveries(accountId, body));
  call('webhook/resend', ({ id }, { accountId }) => webhooks.resend(accountId, id));
  call('webhook/rotateSecret', ({ id }, { accountId }) => webhooks.rotateSecret(accountId, id));
  call('webhook/test', ({ id }, { accountId }) => webhooks.test(accountId, id));
}
