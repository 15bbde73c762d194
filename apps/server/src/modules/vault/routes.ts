import type { DefineCall } from '../../http/calls.ts';
import type { Vaults } from './service.ts';

export function vaultRoutes(call: DefineCall, vaults: Vaults): void {
  call('vault/index', async (_body, { accountId }) => ({ list: await vaults.list(accountId) }));
  call('vault/connect', (body, { accountId }) => vaults.connect(accountId, body));
  call('vault/test', async ({ kind }, { accountId }) => ({
    failure: await vaults.test(accountId, kind),
  }));
  call('vault/template', ({ kind, template }, { accountId }) =>
    vaults.setTemplate(accountId, kind, template),
  );
  call('vault/stop', ({ kind }, { accountId }) => vaults.stop(accountId, kind));
  call('vault/resume', ({ kind }, { accountId }) => vaults.resume(accountId, kind));
  call('vault/disconnect', async (_body, { accountId }) => {
    await vaults.disconnect(accountId);
    return {};
  });
}
