import type { DefineCall } from '../../http/calls.ts';
import type { ApiKeys } from './service.ts';

export function keyRoutes(call: DefineCall, keys: ApiKeys): void {
  call('user/createKey', (body, { accountId }) => keys.create(accountId, body));
  call('user/keys', (_body, { accountId }) => keys.list(accountId));
  call('user/revokeKey', async ({ id }, { accountId }) => {
    await keys.revoke(accountId, id);
    return {};
  });
}
