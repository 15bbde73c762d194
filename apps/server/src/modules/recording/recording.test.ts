import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
let owner: Account;
let otherUser: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
  otherUser = await server.register();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
});

const upload = (account = owner) =>
  uploadRecording(server, account, toneWave(2.5, 8000), { ext: 'wav' });
const absentId = '0199aaaa-0000-7000-8000-000000000000';

describe('recordings', () => {
  const call: TestServer['call'] = (name, body, options) =>
    server.call(name, body, { token: owner.access, ...options });

  it('can be renamed, and the new name is synced to phones', async () => {
    const { id, client_flag: flag, rev } = await upload();
    const { cursor } = await phone.changes();
    const { data } = await call('radio/rename', { id, name: '  Rounds ' });
    expect(data).toMatchObject({ id, name: 'Rounds', rev: rev + 1, url: expect.any(String) });
    const { changes } = await phone.changes({ cursor });
    expect(changes).toMatchObject([
      { rev: data.rev, recording: { client_flag: flag, name: 'Rounds' } },
    ]);
    // An older edit from a phone that hasn't received the new name must not revert it.
    const before = new Date(Date.now() - 60_000).toISOString();
    const olderEdit = {
      type: 'recording.rename',
      recording: flag,
      name: 'Old',
      base_rev: rev,
      at: before,
    };
    expect((await phone.applyOne(olderEdit)).outcome).toBe('superseded');
  });

  it('can be moved to the recycle bin and restored', async () => {
    const [first, second] = [await upload(), await upload()];
    expect(await call('radio/delete', { id: first.id })).toMatchObject({
      code: codes.ok,
      data: { id: first.id, is_del: 1 },
    });
    const listedIds = async () =>
      (await call('task/index', {})).data.list.map(({ id }) => id).toSorted();
    expect(await listedIds()).toEqual([second.id]);
    await call('radio/delete', { id: second.id });
    const ids = [first.id, second.id, first.id];
    const { data } = await call('radio/recover', { ids });
    expect(data.ids.toSorted()).toEqual([first.id, second.id].toSorted());
    expect(await listedIds()).toEqual([first.id, second.id].toSorted());
  });

  it('can be archived, and are then hidden from lists that exclude archived recordings', async () => {
    const [archived, listed] = [await upload(), await upload()];
    await phone.applyOne({ type: 'recording.archive', recording: archived.client_flag, on: true });
    const listedIds = async (body: object) =>
      (await call('task/index', body)).data.list.map(({ id }) => id).toSorted();
    const bothIds = [archived.id, listed.id].toSorted();
    expect(await listedIds({})).toEqual(bothIds);
    expect(await listedIds({ archived: 'with' })).toEqual(bothIds);
    expect(await listedIds({ archived: 'without' })).toEqual([listed.id]);
    expect(await listedIds({ archived: 'only' })).toEqual([archived.id]);
    expect((await call('task/index', { archived: 'without', limit: 1 })).data.total).toBe(1);
    expect((await call('task/index', { archived: 'no' })).code).toBe(codes.badRequest);
    // Moving a recording to the recycle bin and back keeps it archived.
    await call('radio/delete', { id: archived.id });
    expect(await listedIds({ archived: 'only' })).toEqual([]);
    await call('radio/recover', { ids: [archived.id] });
    expect(await listedIds({ archived: 'only' })).toEqual([archived.id]);
  });

  it('can be deleted permanently', async () => {
    const [first, second, remaining] = [await upload(), await upload(), await upload()];
    const { data } = await call('radio/batchDelete', { ids: [first.id.toUpperCase(), second.id] });
    expect(data.ids.toSorted()).toEqual([first.id, second.id].toSorted());
    const changes = await phone.everything();
    expect(changes.map(({ kind }) => kind)).toEqual(['recording', 'tombstone', 'tombstone']);
    expect((await call('task/index', {})).data.list).toMatchObject([{ id: remaining.id }]);
    for (const id of [first.id, second.id]) {
      expect(await call('radio/rename', { id, name: 'x' })).toMatchObject({
        code: codes.notFound,
        data: null,
      });
    }
  });

  it('are not changed if any ID in the call is unknown or belongs to another account', async () => {
    const ownRecording = await upload();
    const theirRecording = await upload(otherUser);
    await call('radio/delete', { id: ownRecording.id });
    for (const id of [theirRecording.id, absentId, 'x']) {
      for (const name of ['radio/recover', 'radio/batchDelete'] as const) {
        expect(await call(name, { ids: [ownRecording.id, id] })).toMatchObject({
          code: codes.notFound,
          data: null,
        });
      }
      expect(await call('radio/rename', { id, name: 'x' })).toMatchObject({ code: codes.notFound });
      expect(await call('radio/delete', { id })).toMatchObject({ code: codes.notFound });
    }
    expect(await phone.recording(ownRecording.client_flag)).toMatchObject({ is_del: 1 });
    const other = createPhone(server, otherUser);
    expect(await other.recording(theirRecording.client_flag)).toMatchObject({
      rev: theirRecording.rev,
    });
  });

  it.each([
    ['radio/rename', { id: 'x' }],
    ['radio/rename', { id: 'x', name: 'y'.repeat(limits.recording.nameMaxLength + 1) }],
    ['radio/delete', {}],
    ['radio/recover', { ids: [] }],
    ['radio/batchDelete', { ids: 'all' }],
    ['radio/translateHistory', { page: 0 }],
  ] as const)('reject an invalid request to %s: %j', async (name, body) => {
    expect(await call(name, body)).toMatchObject({ code: codes.badRequest, data: null });
  });

  it('have a history of transcriptions, including active transcriptions', async () => {
    const done = await transcribedRecording(server, owner);
    const waitingRecording = await upload();
    const createBody = { id: waitingRecording.id, language: 'en' };
    const { data: task } = await call('task/create', createBody);
    await transcribedRecording(server, otherUser);
    const page = async (page: number) =>
      (await call('radio/translateHistory', { page, limit: 1 })).data;
    expect(await page(1)).toMatchObject({
      total: 2,
      list: [
        {
          id: task.id,
          radio_file_id: waitingRecording.id,
          source: 1,
          scene: 'call',
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
    // The history keeps the scene after the recording is deleted.
    await server.db
      .updateTable('transcription_history')
      .set({ scene: 'meeting' })
      .where('task_id', '=', done.taskId)
      .execute();
    await call('radio/batchDelete', { ids: [done.id] });
    expect(await page(2)).toMatchObject({ list: [{ radio_file_id: null, scene: 'meeting' }] });
  });
});

it('deletes a thousand recordings with one call', async () => {
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
