import type { CallServices, DefineCall } from '../../http/calls.ts';
import type { Lane } from '../../http/gate.ts';
import type { Limit } from '../../http/rate-limit.ts';
import { whileConnected } from '../../http/while-connected.ts';
import type { Questions } from './service.ts';

/** Questions of an account, which may wait for a language model. */
const lane: Lane = { name: 'ask', concurrency: 2, waiting: 8 };
/** Questions per account, since a language model may cost money. */
const questionLimit: Limit = { name: 'ask', count: 300, seconds: 3600 };

export function askRoutes(
  call: DefineCall,
  questions: Questions,
  { gate, limiter }: Pick<CallServices, 'gate' | 'limiter'>,
): void {
  call('ask/question', (body, { accountId }, { request }) =>
    whileConnected(request, (signal) =>
      gate.run(lane, accountId, async () => {
        await limiter.take(questionLimit, accountId);
        return questions.ask(accountId, body, signal);
      }),
    ),
  );
  call('ask/passages', (body, { accountId }) =>
    gate.run(lane, accountId, () => questions.passages(accountId, body)),
  );
  call('ask/index', (page, { accountId }) => questions.threads(accountId, page));
  call('ask/thread', ({ id }, { accountId }) => questions.thread(accountId, id));
  call('ask/delete', async ({ id }, { accountId }) => {
    await questions.remove(accountId, id);
    return {};
  });
}
