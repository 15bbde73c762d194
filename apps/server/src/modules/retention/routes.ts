import type { DefineCall } from '../../http/calls.ts';
import type { Retention } from './service.ts';

export function retentionRoutes(call: DefineCall, retention: Retention): void {
  call('retention/index', (_body, { accountId }) => retention.list(accountId));
  call('retention/preview', (body, { accountId }) => retention.preview(accountId, body));
  call('retention/save', (body, { accountId }) => retention.save(accountId, body));
  call('retention/delete', async ({ id }, { accountId }) => {
    await retention.delete(accountId, id);
    return {};
  });
  call('retention/runs', (body, { accountId }) => retention.runs(accountId, body));
  call('retention/moved', (body, { accountId }) => retention.moved(accountId, body));
  call('retention/undo', async ({ id }, { accountId }) => ({
    recovered: await retention.undo(accountId, id),
  }));
}
