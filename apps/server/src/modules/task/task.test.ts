import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, refundOrder } from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { selectSpeechEngines } from '../../providers/speech/index.ts';
import { createMinutes } from '../minutes/service.ts';
import { createTaskService } from './service.ts';
import { createTranscriptionSupport } from './transcription-support.ts';

let server: TestServer;
let account: Account;
let otherUser: Account;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  otherUser = await server.register();
});
afterAll(() => server.close());

const upload = (owner: Account, seconds = 3) =>
  uploadRecording(server, owner, toneWave(seconds, 8000), { ext: 'wav' });
const balance = async (owner: Account) =>
  (await server.call('user/leftMinute', {}, { token: owner.access })).data;

describe('tasks', () => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { token: account.access, ...options });

  it.each(['en', 'EN', 'en-GB'])(
    'are created once per recording and reserve minutes, for the language %s',
    async (language) => {
      const owner = await server.register();
      const { id } = await upload(owner, 65);
      const token = { token: owner.access };
      const first = await call('task/create', { id, language }, token);
      expect(first).toMatchObject({
        code: codes.ok,
        data: { status: 0, progress: 0, language: 'en' },
      });
      expect((await call('task/create', { id, language }, token)).data).toEqual(first.data);
      expect(await balance(owner)).toMatchObject({ left_minutes: 28, reserved_minutes: 2 });
      const { data } = await call('task/detail', { id: first.data.id }, token);
      expect(data).toMatchObject({ radio_file_id: id, status: 0, paragraphs: [], error: null });
      expect((await call('task/detail', { id }, token)).data).toEqual(data);
      const { data: list } = await call('task/index', {}, token);
      expect(list).toMatchObject({ total: 1, page: 1, limit: 20 });
      expect(list.list[0]).toMatchObject({ id, status: 0, task: { id: first.data.id, status: 0 } });
    },
  );

  it('are created once by concurrent calls', async () => {
    const owner = await server.register();
    const { id } = await upload(owner);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('task/create', { id, language: 'en' }, { token: owner.access }),
      ),
    );
    expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
    expect(await balance(owner)).toMatchObject({ left_minutes: 29, reserved_minutes: 1 });
  });

  it('are repeated on request, one at a time, and charged again', async () => {
    const owner = await server.register();
    const { id } = await upload(owner);
    const { taskId: first } = await transcribe(server, owner, id, ['Once.']);
    const create = async (again?: string) =>
      (await call('task/create', { id, language: 'en', again }, { token: owner.access })).data;
    const secondTask = await create(first);
    expect(secondTask).toMatchObject({ status: 0 });
    expect(secondTask.id).not.toBe(first);
    expect(await balance(owner)).toMatchObject({ left_minutes: 28, reserved_minutes: 1 });
    // A retry after a lost response, and a call without `again`, return the same task.
    expect((await create(first)).id).toBe(secondTask.id);
    expect((await create()).id).toBe(secondTask.id);
    // A task in progress can't be repeated.
    expect((await create(secondTask.id)).id).toBe(secondTask.id);
    expect(await balance(owner)).toMatchObject({ left_minutes: 28, reserved_minutes: 1 });
  });

  it.each([taskStatus.transcribed, taskStatus.failed])(
    'that were repeated and have finished are returned to a late retry (status %s)',
    async (status) => {
      const owner = await server.register();
      const { id } = await upload(owner);
      const { taskId: first } = await transcribe(server, owner, id, ['Once.']);
      const create = async (again: string) =>
        (await call('task/create', { id, language: 'en', again }, { token: owner.access })).data;
      const secondTask = await create(first);
      const error_code = status === taskStatus.failed ? codes.notEnoughMinutes : null;
      const endedValues = { status, error_code };
      await server.db
        .updateTable('tasks')
        .set(endedValues)
        .where('id', '=', secondTask.id)
        .execute();
      for (const other of [first, crypto.randomUUID(), 'nonsense']) {
        expect(await create(other)).toMatchObject({ id: secondTask.id, status });
      }
      expect(await balance(owner)).toMatchObject({ left_minutes: 28, reserved_minutes: 1 });
      expect((await create(secondTask.id)).id).not.toBe(secondTask.id);
      expect(await balance(owner)).toMatchObject({ left_minutes: 27, reserved_minutes: 2 });
    },
  );

  it('spend no minutes of a membership that was refunded after the caller was authenticated', async () => {
    const owner = await server.register();
    const { id } = await upload(owner);
    const order = await buy(server, owner, 'vip_annual');
    const { db, queue, now, config } = server;
    const account = await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow();
    await refundOrder(server, order);
    const tasks = createTaskService({
      db,
      queue,
      minutes: createMinutes({ unlimited: false, now }),
      transcription: createTranscriptionSupport(selectSpeechEngines(config), () => undefined),
      now,
    });
    const caller = { accountId: owner.id, sessionId: '', keyId: null, scopes: [], account };
    await tasks.create(caller, { id, language: 'en' });
    const monthly = await db
      .selectFrom('minute_grants')
      .selectAll()
      .where('account_id', '=', owner.id)
      .where('purse', '=', 'vip')
      .execute();
    expect(monthly).toEqual([]);
    expect(await balance(owner)).toMatchObject({ free_minutes: 29, vip_minutes: 0 });
  });

  it('never spend a minute twice when created concurrently', async () => {
    const owner = await server.register();
    const recordings = [];
    for (let n = 0; n < 10; n += 1) recordings.push(await upload(owner, 4 * 60 + 1));
    const responses = await Promise.all(
      recordings.map(({ id }) =>
        call('task/create', { id, language: 'en' }, { token: owner.access }),
      ),
    );
    const resultCodes = responses.map(({ code }) => code).toSorted((a, b) => a - b);
    expect(resultCodes).toEqual([
      ...Array(6).fill(codes.ok),
      ...Array(4).fill(codes.notEnoughMinutes),
    ]);
    expect(await balance(owner)).toMatchObject({ left_minutes: 0, reserved_minutes: 30 });
    const jobs = (await server.queue.list(['waiting'])).map(
      ({ payload }) => payload as { taskId: string },
    );
    const createdIds = responses.filter(({ code }) => code === codes.ok).map(({ data }) => data.id);
    const rows = await server.db
      .selectFrom('tasks')
      .select('id')
      .where('account_id', '=', owner.id)
      .execute();
    expect(rows).toHaveLength(6);
    for (const id of createdIds) expect(jobs).toContainEqual({ taskId: id });
  });

  it.each(['Japanese', 'ja', 'Klingon', 'arabic'])(
    'reject the language %s without reserving minutes',
    async (language) => {
      const owner = await server.register();
      const { id } = await upload(owner);
      const response = await call('task/create', { id, language }, { token: owner.access });
      expect(response).toMatchObject({ code: codes.languageUnavailable, data: null });
      if (language !== 'Klingon') {
        expect(response.msg).toMatch(
          /^\w+ can't be transcribed on this server\. It can transcribe English/,
        );
        expect(response.msg).not.toContain('ASR');
        expect(server.logged.some((line) => line.includes('set ASR to an engine'))).toBe(true);
      }
      expect(await balance(owner)).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    },
  );

  it('require that the audio is stored on the server', async () => {
    const { id } = await upload(account);
    await server.db
      .updateTable('recordings')
      .set({ object_key: null })
      .where('id', '=', id)
      .execute();
    const response = await call('task/create', { id, language: 'en' });
    expect(response).toMatchObject({ code: codes.notUploaded, data: null });
    expect((await call('task/index', { ids: [id] })).data.list[0]?.url).toBeNull();
  });

  it("do not reveal whether another account's task exists", async () => {
    const { id } = await upload(otherUser);
    const { data } = await server.call(
      'task/create',
      { id, language: 'en' },
      { token: otherUser.access },
    );
    const unknownId = crypto.randomUUID();
    for (const other of [id, data.id, 'nonsense']) {
      const create = await call('task/create', { id: other, language: 'en' });
      expect(create).toEqual(await call('task/create', { id: unknownId, language: 'en' }));
      expect(create).toMatchObject({ code: codes.notFound, data: null });
      expect(await call('task/detail', { id: other })).toEqual(
        await call('task/detail', { id: unknownId }),
      );
    }
    const { data: index } = await call('task/index', { ids: [id, 'nonsense'] });
    expect(index).toMatchObject({ list: [], total: 0 });
  });

  it('are listed page by page, newest recording first', async () => {
    const owner = await server.register();
    const createdIds = [];
    for (let n = 0; n < 5; n += 1) createdIds.unshift((await upload(owner)).id);
    const token = { token: owner.access };
    const page = async (number: number) =>
      (await call('task/index', { limit: 2, page: number }, token)).data;
    const pages = [await page(1), await page(2), await page(3), await page(4)];
    expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(createdIds);
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5]);
    const { data } = await call(
      'task/index',
      { limit: 1000, page: 1, ids: [createdIds[2], createdIds[4]] },
      token,
    );
    expect(data.list.map(({ id }) => id)).toEqual([createdIds[2], createdIds[4]]);
  });

  it.each([
    ['task/create', {}],
    ['task/create', { id: true, language: 'en' }],
    ['task/create', { id: 'x' }],
    ['task/create', { id: 'x', language: 'en', again: true }],
    ['task/detail', {}],
    ['task/detail', { id: null }],
    ['task/index', { limit: 0 }],
    ['task/index', { limit: 1001 }],
    ['task/index', { page: 'one' }],
    ['task/index', { ids: 'x' }],
  ] as const)('reject an invalid request to %s: %o', async (name, body) => {
    const response = await call(name, body);
    expect(response).toMatchObject({ code: codes.badRequest, data: null });
  });

  it.each(['task/create', 'task/detail', 'task/index'] as const)(
    'require a token for %s',
    async (name) => {
      const response = await server.call(name, { id: 'x', language: 'en' });
      expect(response).toMatchObject({ code: codes.tokenInvalid, data: null });
    },
  );
});

it('does not limit minutes with BILLING=off', async () => {
  const freeServer = await startTestServer({ BILLING: 'off', TRIAL_DAYS: '0' });
  const owner = await freeServer.register();
  const { id } = await uploadRecording(freeServer, owner, toneWave(40 * 60, 1000), { ext: 'wav' });
  const response = await freeServer.call(
    'task/create',
    { id, language: 'en' },
    { token: owner.access },
  );
  expect(response.code).toBe(codes.ok);
  const { data } = await freeServer.call('user/info', {}, { token: owner.access });
  expect(data).toMatchObject({ is_vip: true, vip_plan: null });
  await freeServer.close();
});
