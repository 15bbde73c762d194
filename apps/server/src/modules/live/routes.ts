import type { DefineCall } from '../../http/calls.ts';
import type { LiveService } from './service.ts';

export function liveRoutes(call: DefineCall, live: LiveService): void {
  call('live/append', (body, { accountId }) => live.append(accountId, body));
  call('live/list', (body, { accountId }) => live.list(accountId, body));
}
