import type { DefineCall } from '../../http/calls.ts';
import type { Shares } from './service.ts';

export function shareRoutes(call: DefineCall, shares: Shares): void {
  call('share/create', (body, { account }, { origin }) => shares.create(account, body, origin));
  call('share/index', (query, { accountId }, { origin }) => shares.list(accountId, query, origin));
  call('share/revoke', async ({ id }, { accountId }) => {
    await shares.revoke(accountId, id);
    return {};
  });
}
