import type { Client } from '@linnet/contract/client';
import type { ApiKeysService } from '../../ports/api-keys.ts';

export function createApiKeys(client: Pick<Client, 'call'>): ApiKeysService {
  return {
    async list() {
      const result = await client.call('user/keys');
      return result.ok ? { ok: true, data: result.data.list } : result;
    },
    create: (request) => client.call('user/createKey', request),
    async revoke(id) {
      const result = await client.call('user/revokeKey', { id });
      return result.ok ? { ok: true, data: null } : result;
    },
  };
}
