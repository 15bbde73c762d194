import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createTranscriptionDependencies, scriptedEngines } from '../../../test/transcription.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import type { JobHandlers } from '../../jobs/jobs.ts';
import { jobOptions } from '../../jobs/jobs.ts';
import type { Queue } from '../../jobs/queue.ts';
import { openQueue } from '../../jobs/queue.ts';
import { transcribeJob } from '../../jobs/transcribe.ts';

const neverAborted = new AbortController().signal;
let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

const token = (account = owner) => ({ token: account.access });
const balance = async () => (await server.call('user/leftMinute', {}, token())).data;
/** Uploads a recording of two billable minutes. */
const upload = (account = owner, seconds = 70) =>
  uploadRecording(server, account, toneWave(seconds, 4000), { ext: 'wav' });
const create = async (id: string, account = owner) =>
  (await server.call('task/create', { id, language: 'en' }, token(account))).data.id;
const detail = async (id: string) => (await server.call('task/detail', { id }, token())).data;

/** Runs a task whose engine reports progress, waits until the progress is saved, and then runs until it is aborted. */
async function transcribeUntilAborted(
  taskId: string,
  fraction: number,
  onProgressSaved: () => Promise<unknown>,
) {
  let wasAborted = false;
  const engines = scriptedEngines(async ({ onProgress, signal }) => {
    onProgress?.(fraction);
    const readProgress = () =>
      server.db.selectFrom('tasks').select('step_done').where('id', '=', taskId).executeTakeFirst();
    await expect.poll(async () => (await readProgress())?.step_done).toBe(fraction);
    await onProgressSaved();
    await expect.poll(() => signal?.aborted, { timeout: 60_000 }).toBe(true);
    wasAborted = true;
    throw signal?.reason;
  });
  await transcribeJob(createTranscriptionDependencies(server, { engines }))(
    { taskId },
    neverAborted,
  );
  return wasAborted;
}

describe('canceling a transcription', () => {
  it('releases its minutes and prevents its start if it is queued', async () => {
    const { id } = await upload();
    const taskId = await create(id);
    expect(await balance()).toMatchObject({ left_minutes: 28, reserved_minutes: 2 });
    const { data } = await server.call('task/cancel', { id }, token());
    expect(data).toEqual({ id: taskId, status: taskStatus.failed, minutes: 0 });
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    const engines = scriptedEngines(() => Promise.reject(new Error('the engine was called')));
    await transcribeJob(createTranscriptionDependencies(server, { engines }))(
      { taskId },
      neverAborted,
    );
    expect(await detail(taskId)).toMatchObject({
      status: taskStatus.failed,
      error: { code: codes.transcriptionCanceled },
    });
    // A second cancellation has no effect, and a new task can be created.
    expect((await server.call('task/cancel', { id }, token())).data).toEqual(data);
    expect(await create(id)).not.toBe(taskId);
  });

  it('costs nothing if the engine hasn’t processed any audio', async () => {
    const { id } = await upload();
    const taskId = await create(id);
    const output = JSON.stringify({ seconds: 90 });
    await server.db
      .insertInto('task_steps')
      .values({ task_id: taskId, step: 'decode', output })
      .execute();
    const started = { status: taskStatus.working, step: 'recognise', step_done: 0 } as const;
    await server.db.updateTable('tasks').set(started).where('id', '=', taskId).execute();
    expect((await server.call('task/cancel', { id }, token())).data.minutes).toBe(0);
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
  });

  it('stops the engine and charges for the processed audio if it is in progress', async () => {
    const { id } = await upload();
    const taskId = await create(id);
    const cancel = () => server.call('task/cancel', { id: taskId }, token());
    expect(await transcribeUntilAborted(taskId, 0.5, cancel)).toBe(true);
    expect(await detail(taskId)).toMatchObject({ status: taskStatus.failed, minutes: 1 });
    expect(await balance()).toMatchObject({ left_minutes: 29, reserved_minutes: 0 });
    const { data } = await server.call('radio/translateHistory', {}, token());
    expect(data.list).toMatchObject([{ id: taskId, minutes: 1 }]);
  });

  it('reports the task of another account as not found', async () => {
    const { id } = await upload();
    await create(id);
    const other = await server.register();
    const response = await server.call('task/cancel', { id }, token(other));
    expect(response.code).toBe(codes.notFound);
  });

  it('happens automatically when its recording is moved to the recycle bin', async () => {
    const { id } = await upload();
    const taskId = await create(id);
    await server.call('radio/delete', { id }, token());
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    expect(await detail(taskId)).toMatchObject({
      error: { code: codes.transcriptionCanceled },
    });
  });
});

it('charges for processed audio even if the recording is deleted during the transcription', async () => {
  const { id } = await upload();
  const taskId = await create(id);
  const erase = () => server.call('radio/batchDelete', { ids: [id] }, token());
  expect(await transcribeUntilAborted(taskId, 0.95, erase)).toBe(true);
  expect(await balance()).toMatchObject({ left_minutes: 28, reserved_minutes: 0 });
  const { data } = await server.call('radio/translateHistory', {}, token());
  expect(data.list).toMatchObject([{ id: taskId, radio_file_id: null, minutes: 2 }]);
});

it('runs tasks of different accounts in rotation', async () => {
  const other = await server.register();
  const names = new Map<string, string>();
  const createTask = async (account: Account, name: string) =>
    names.set(await create((await upload(account, 3)).id, account), name);
  for (let n = 1; n <= 6; n += 1) await createTask(owner, `first ${n}`);
  const [third, resume] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const order: string[] = [];
  const worker = await startWorker(async (taskId) => {
    const name = names.get(taskId);
    // Ignore tasks of earlier tests.
    if (name === undefined) return;
    order.push(name);
    if (order.length < 3) return;
    third.resolve();
    await resume.promise;
  });
  await third.promise;
  // Half of these tasks have started when the other account creates its tasks.
  for (let n = 1; n <= 2; n += 1) await createTask(other, `second ${n}`);
  resume.resolve();
  await expect.poll(() => order.length).toBe(8);
  await worker.stop();
  expect(order.slice(0, 3)).toEqual(['first 1', 'first 2', 'first 3']);
  expect(order.slice(3)).toEqual(['second 1', 'first 4', 'second 2', 'first 5', 'first 6']);
});

/** Starts a worker that passes each task it receives to `onTask` and then finishes the task. */
async function startWorker(onTask: (taskId: string) => Promise<void>): Promise<Queue> {
  const queue = await openQueue(server.databaseUrl, 'worker', pino({ level: 'silent' }));
  const nothing = Object.fromEntries(Object.keys(jobOptions).map((name) => [name, async () => {}]));
  const { outcomes } = createTranscriptionDependencies(server);
  await queue.work({
    ...(nothing as unknown as JobHandlers),
    async transcribe({ taskId }) {
      if (!(await isActive(taskId))) return;
      await onTask(taskId);
      await outcomes.fail(taskId, 'noSpeech');
    },
  });
  return queue;
}

async function isActive(taskId: string): Promise<boolean> {
  const { status } = await server.db
    .selectFrom('tasks')
    .select('status')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow();
  return status < taskStatus.transcribed;
}
