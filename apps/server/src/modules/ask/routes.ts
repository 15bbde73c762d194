import { type CallServices, type DefineCall, getSubject } from '../../http/calls.ts';
import type { Lane } from '../../http/gate.ts';
import { runWhileConnected } from '../../http/while-connected.ts';
import type { Questions } from './service.ts';

/** The lane for searches. Waiting for a language model doesn't occupy the lane or a database connection. */
const searchLane: Lane = { name: 'ask-search', concurrency: 2, waiting: 16 };

export function askRoutes(
  call: DefineCall,
  questions: Questions,
  { gate }: Pick<CallServices, 'gate'>,
): void {
  call('ask/question', (body, caller, { request }) =>
    runWhileConnected(request, async (signal) => {
      const stored = await gate.run(searchLane, getSubject(caller), () =>
        questions.ask(caller.accountId, body, signal),
      );
      return questions.answer(stored, body.wait, signal);
    }),
  );
  call('ask/live', (body, caller, { request }) =>
    runWhileConnected(request, async (signal) => {
      const stored = await gate.run(searchLane, getSubject(caller), () =>
        questions.askLive(caller.accountId, body, signal),
      );
      return questions.answer(stored, body.wait, signal);
    }),
  );
  call('ask/passages', (body, caller) =>
    gate.run(searchLane, getSubject(caller), () => questions.passages(caller.accountId, body)),
  );
  call('ask/index', (page, { accountId }) => questions.threads(accountId, page));
  call('ask/thread', ({ id }, { accountId }) => questions.thread(accountId, id));
  call('ask/delete', async ({ id }, { accountId }) => {
    await questions.remove(accountId, id);
    return {};
  });
}
