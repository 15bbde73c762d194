import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { uploadRecording } from '../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';

const speechFile = new URL('../../../virtual-recorder/scenes/hotel-call.ogg', import.meta.url);

let server: TestServer;
let account: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
});
afterAll(() => server.close());

it('leaves the job of a stopping worker to another worker, which completes it with a single charge', async () => {
  const speech = new Uint8Array(await readFile(speechFile));
  const recording = await uploadRecording(server, account, speech);
  const first = await startWorker(server);
  const body = { id: recording.id, language: 'en' };
  const { data } = await server.call('task/create', body, { token: account.access });
  // Wait until the engine is running.
  await waitForTask(server, account, data.id, ({ step }) => step?.name === 'recognise');

  const exitPromise = once(first, 'exit');
  first.kill('SIGTERM');
  expect(await exitPromise).toEqual([0, null]);
  const { rows } = await sql<{ state: string }>`
    select state from pgboss.job where data->>'taskId' = ${data.id}`.execute(server.db);
  expect(rows).toEqual([{ state: 'retry' }]);

  const secondWorker = await startWorker(server);
  const task = await waitForTask(server, account, data.id);
  await stopWorker(secondWorker);
  expect(task).toMatchObject({ status: taskStatus.transcribed, minutes: 1 });
  const charges = await server.db
    .selectFrom('minute_charges')
    .select(['state', 'minutes'])
    .execute();
  expect(charges).toEqual([{ state: 'settled', minutes: 1 }]);
  // The stop doesn't count as an engine failure.
  const { attempts } = await server.db
    .selectFrom('tasks')
    .select('attempts')
    .executeTakeFirstOrThrow();
  expect(attempts).toBe(0);
});
