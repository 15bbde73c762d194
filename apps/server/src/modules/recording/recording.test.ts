import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { prefixes } from '@linnet/contract/routes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { phoneOf } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
let owner: Account;
let stranger: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
  stranger = await server.register();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = phoneOf(server, owner);
});

const upload = (account = owner) =>
  uploadRecording(server, account, toneWave(2.5, 8000), { ext: 'wav' });
const absent = '0199aaaa-0000-7000-8000-000000000000';

describe.each(Object.values(prefixes))('recordings under %s', (prefix) => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { prefix, token: owner.access, ...options });

  it('are renamed, and phones are notified', async () => {
    const { id, client_flag: flag, rev } = await upload();
    const { cursor } = await phone.changes();
    const { data } = await call('radio/rename', { id, name: '  Rounds ' });
    expect(data).toMatchObject({ id, name: 'Rounds', rev: rev + 1, url: expect.any(String) });
    const { changes } = await phone.changes({ cursor });
    expect(changes).toMatchObject([
      { rev: data.rev, recording: { client_flag: flag, name: 'Rounds' } },
    ]);
    // An older edit from a phone that has not received this one does not revert it.
    const before = new Date(Date.now() - 60_000).toISOString();
    const act = {
      type: 'recording.rename',
      recording: flag,
      name: 'Old',
      base_rev: rev,
      at: before,
    };
    expect((await phone.act(act)).outcome).toBe('superseded');
  });

  it('are moved to the recycle bin and restored', async () => {
    const [one, two] = [await upload(), await upload()];
    expect(await call('radio/delete', { id: one.id })).toMatchObject({
      code: codes.ok,
      data: { id: one.id, is_del: 1 },
    });
    const listed = async () =>
      (await call('task/index', {})).data.list.map(({ id }) => id).toSorted();
    expect(await listed()).toEqual([two.id]);
    await call('radio/delete', { id: two.id });
    const ids = [one.id, two.id, one.id];
    const { data } = await call('radio/recover', { ids });
    expect(data.ids.toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await listed()).toEqual([one.id, two.id].toSorted());
  });

  it('are permanently deleted', async () => {
    const [one, two, kept] = [await upload(), await upload(), await upload()];
    const { data } = await call('radio/batchDelete', { ids: [one.id.toUpperCase(), two.id] });
    expect(data.ids.toSorted()).toEqual([one.id, two.id].toSorted());
    const changes = await phone.everything();
    expect(changes.map(({ kind }) => kind)).toEqual(['recording', 'tombstone', 'tombstone']);
    expect((await call('task/index', {})).data.list).toMatchObject([{ id: kept.id }]);
    for (const id of [one.id, two.id]) {
      expect(await call('radio/rename', { id, name: 'x' })).toMatchObject({
        code: codes.notFound,
        data: null,
      });
    }
  });

  it('are changed all or none: an unknown or foreign one fails the call', async () => {
    const mine = await upload();
    const theirs = await upload(stranger);
    await call('radio/delete', { id: mine.id });
    for (const id of [theirs.id, absent, 'x']) {
      for (const name of ['radio/recover', 'radio/batchDelete'] as const) {
        expect(await call(name, { ids: [mine.id, id] })).toMatchObject({
          code: codes.notFound,
          data: null,
        });
      }
      expect(await call('radio/rename', { id, name: 'x' })).toMatchObject({ code: codes.notFound });
      expect(await call('radio/delete', { id })).toMatchObject({ code: codes.notFound });
    }
    expect(await phone.recording(mine.client_flag)).toMatchObject({ is_del: 1 });
    const other = phoneOf(server, stranger);
    expect(await other.recording(theirs.client_flag)).toMatchObject({ rev: theirs.rev });
  });

  it.each([
    ['radio/rename', { id: 'x' }],
    ['radio/rename', { id: 'x', name: 'y'.repeat(limits.recording.nameMaxLength + 1) }],
    ['radio/delete', {}],
    ['radio/recover', { ids: [] }],
    ['radio/batchDelete', { ids: 'all' }],
    ['radio/translateHistory', { page: 0 }],
  ] as const)('%s refuses %j', async (name, body) => {
    expect(await call(name, body)).toMatchObject({ code: codes.badRequest, data: null });
  });

  it('have a history of transcriptions, including those in progress', async () => {
    const done = await transcribedRecording(server, owner);
    const waiting = await upload();
    const asked = { id: waiting.id, language: 'en' };
    const { data: task } = await call('task/create', asked);
    await transcribedRecording(server, stranger);
    const page = async (page: number) =>
      (await call('radio/translateHistory', { page, limit: 1 })).data;
    expect(await page(1)).toMatchObject({
      total: 2,
      list: [
        {
          id: task.id,
          radio_file_id: waiting.id,
          source: 1,
          status: taskStatus.queued,
          minutes: 0,
          error: null,
        },
      ],
    });
    expect(await page(2)).toMatchObject({
      total: 2,
      list: [{ id: done.taskId, radio_file_id: done.id, minutes: 1, total_time: 3 }],
    });
    expect((await page(3)).list).toEqual([]);
  });
});

it('one call deletes a thousand recordings', async () => {
  const rows = Array.from({ length: 1000 }, () => {
    const id = crypto.randomUUID() as string;
    const audio = { object_key: `voice/${owner.id}/${id}.wav`, recorded_at: new Date() };
    return { id, account_id: owner.id, client_flag: id, rev: 0, ...audio };
  });
  await server.db.insertInto('recordings').values(rows).execute();
  const ids = rows.map(({ id }) => id);
  const { code, data } = await server.call('radio/batchDelete', { ids }, { token: owner.access });
  expect(code).toBe(codes.ok);
  expect(data.ids).toHaveLength(1000);
  expect((await phone.everything()).filter(({ kind }) => kind === 'tombstone')).toHaveLength(1000);
});
