import type { DefineCall } from '../../http/calls.ts';
import { runWhileConnected } from '../../http/while-connected.ts';
import type { LiveService } from './service.ts';
import type { LiveWatch } from './watch.ts';

export function liveRoutes(call: DefineCall, live: LiveService, { watch }: LiveWatch): void {
  call('live/append', (body, { accountId }) => live.append(accountId, body));
  call('live/list', (body, { accountId }) => live.list(accountId, body));
  call('live/watch', (body, { accountId }, { request }) =>
    runWhileConnected(request, (signal) => watch(accountId, body, signal)),
  );
}
