import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { lockAccount } from '../db/database.ts';
import { accountLane, createGate } from './gate.ts';

let server: TestServer;
let flooding: Account;
let otherUser: Account;
beforeAll(async () => {
  server = await startTestServer();
  [flooding, otherUser] = [await server.register(), await server.register()];
});
afterAll(() => server.close());

/** Holds an account's lock like a long transaction, until it is released. */
async function holdAccount(id: string): Promise<() => Promise<void>> {
  const [lockAcquired, releaseLock] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const transaction = server.db.transaction().execute(async (trx) => {
    await lockAccount(trx, id);
    lockAcquired.resolve();
    await releaseLock.promise;
  });
  await lockAcquired.promise;
  return async () => {
    releaseLock.resolve();
    await transaction;
  };
}

const rename = (account: Account, nickname: string) =>
  server.call('user/updateNickname', { nickname }, { token: account.access });

it('queues requests of an account without using database connections', async () => {
  const release = await holdAccount(flooding.id);
  const set = (n: number) =>
    server.call(
      'user/updateConfig',
      { group_name: 'flood', config_key: 'key', config_value: String(n) },
      { token: flooding.access },
    );
  const flood = Array.from({ length: 100 }, (_, n) => set(n));
  // Requests that exceed the queue are rejected immediately.
  const firstRejected = await Promise.race(flood);
  expect(firstRejected.code).toBe(codes.tooManyRequests);
  const { code } = await server.call('user/info', {}, { token: otherUser.access });
  expect(code).toBe(codes.ok);
  expect((await rename(otherUser, 'Still here')).code).toBe(codes.ok);
  await release();
  const resultCodes = (await Promise.all(flood)).map(({ code }) => code);
  expect(resultCodes.filter((code) => code === codes.ok)).toHaveLength(66);
  expect(resultCodes.filter((code) => code === codes.tooManyRequests)).toHaveLength(34);
});

it('reports a lock timeout as an unavailable server', async () => {
  const release = await holdAccount(flooding.id);
  const response = await server.call(
    'user/updateConfig',
    { group_name: 'flood', config_key: 'key', config_value: 'late' },
    { token: flooding.access },
  );
  expect(response.code).toBe(codes.unavailable);
  await release();
});

it('queues each subject separately and in order', async () => {
  const gate = createGate();
  const lane = { name: 'one', concurrency: 1, waiting: 2 };
  const first = Promise.withResolvers<string>();
  const order: string[] = [];
  const run = (subject: string, label: string, waitFor?: Promise<unknown>) =>
    gate.run(lane, subject, async () => {
      await waitFor;
      order.push(label);
    });
  const all = [run('a', 'first', first.promise), run('a', 'second'), run('a', 'third')];
  await expect(run('a', 'fourth')).rejects.toMatchObject({ reason: 'tooManyRequests' });
  await run('b', 'other');
  first.resolve('');
  await Promise.all(all);
  expect(order).toEqual(['other', 'first', 'second', 'third']);
  await run('a', 'again');
});

it('queues questions about recordings in progress in the same lane as other questions', () => {
  expect(accountLane('ask/question').name).toBe('ask');
  expect(accountLane('ask/live')).toEqual(accountLane('ask/question'));
});
