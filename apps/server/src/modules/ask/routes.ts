import type { DefineCall } from '../../http/calls.ts';
import type { Questions } from './service.ts';

export function askRoutes(call: DefineCall, questions: Questions): void {
  call('ask/question', (body, { accountId }) => questions.ask(accountId, body));
  call('ask/passages', (body, { accountId }) => questions.passages(accountId, body));
  call('ask/index', (page, { accountId }) => questions.threads(accountId, page));
  call('ask/thread', ({ id }, { accountId }) => questions.thread(accountId, id));
  call('ask/delete', async ({ id }, { accountId }) => {
    await questions.remove(accountId, id);
    return {};
  });
}
