import type { CallBody } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { Outcome } from '../../ports/store.ts';
import type { WebhooksService } from '../../ports/webhooks.ts';

const deliveriesPerPage = 20;

export function createWebhooks(client: Pick<Client, 'call'>): WebhooksService {
  /** Makes a call about a webhook or a delivery whose response isn't needed. */
  const send = async (
    name: 'webhook/delete' | 'webhook/enable' | 'webhook/test' | 'webhook/resend',
    body: CallBody<typeof name>,
  ): Promise<Outcome<null, CallFailure>> => {
    const result = await client.call(name, body);
    return result.ok ? { ok: true, data: null } : result;
  };

  return {
    async list() {
      const result = await client.call('webhook/index', { limit: limits.webhooks.count });
      return result.ok ? { ok: true, data: result.data.list } : result;
    },
    create: (request) => client.call('webhook/create', request),
    remove: (id) => send('webhook/delete', { id }),
    enable: (id) => send('webhook/enable', { id }),
    async rotateSecret(id) {
      const result = await client.call('webhook/rotateSecret', { id });
      return result.ok ? { ok: true, data: result.data.secret } : result;
    },
    test: (id) => send('webhook/test', { id }),
    deliveries: (id, page) =>
      client.call('webhook/deliveries', { id, page, limit: deliveriesPerPage }),
    resend: (id) => send('webhook/resend', { id }),
  };
}
