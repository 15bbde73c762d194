import type { DefineCall } from '../../http/calls.ts';
import type { Push } from './service.ts';

export function pushRoutes(call: DefineCall, push: Push): void {
  call('push/get', (_body, caller) => push.get(caller));
  call('push/subscribe', (body, caller) => push.subscribe(caller, body));
  call('push/unsubscribe', async (_body, caller) => {
    await push.unsubscribe(caller);
    return {};
  });
  call('push/test', async (_body, caller) => {
    await push.test(caller);
    return {};
  });
}
