import { Readable } from 'node:stream';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { discarded, startDeleting } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { grantFor, postObject, toneWave, uploadRecording } from '../../../test/uploads.ts';
import type { Queue } from '../../jobs/queue.ts';
import { createMinutes } from '../minutes/service.ts';
import { createOutcomes } from '../task/outcome.ts';

let server: TestServer;
let worker: Queue;
let owner: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
  worker = await startDeleting(server);
});
afterAll(async () => {
  await worker.stop();
  await server.close();
});
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
});

const token = () => ({ token: owner.access });
const wave = toneWave(2.5, 8000);
const upload = () => uploadRecording(server, owner, wave, { ext: 'wav' });
const deletion = (recording: string) => operation({ type: 'recording.delete', recording });
const loadObjectKey = async (id: string) => {
  const row = await server.db
    .selectFrom('recordings')
    .select('object_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.object_key ?? '';
};
const waitUntilDeleted = (key: string) =>
  vi.waitUntil(async () => (await server.store.stat(key)) === null, { timeout: 60_000 });
/** Uploads an object and returns a function that registers it under a client flag. */
async function storeObject(clientFlag: string) {
  const grant = await grantFor(server, owner, 'wav');
  expect((await postObject(server, grant, wave)).statusCode).toBe(204);
  const body = { url: grant.url, file_size: wave.length, client_flag: clientFlag };
  return { key: grant.key, register: () => server.call('upload/ossFile', body, token()) };
}

describe('permanent deletion', () => {
  it('deletes rows, texts and audio, and leaves a tombstone', async () => {
    const transcribed = await transcribedRecording(server, owner);
    const key = await loadObjectKey(transcribed.id);
    const [paragraph = ''] = transcribed.paragraphs;
    const recording = transcribed.clientFlag;
    await phone.apply([
      operation({ type: 'recording.rename', recording, name: 'Private' }),
      operation({ type: 'paragraph.edit', recording, paragraph, content: 'Private too.' }),
    ]);
    expect(await server.store.stat(key)).not.toBeNull();
    const { rev, outcome } = await phone.applyOne({ type: 'recording.delete', recording });
    expect(outcome).toBe('applied');
    expect(await phone.everything()).toMatchObject([
      { kind: 'tombstone', id: transcribed.id, client_flag: recording, rev },
    ]);
    await waitUntilDeleted(key);
    for (const table of ['recordings', 'tasks'] as const) {
      const rows = await server.db
        .selectFrom(table)
        .select('id')
        .where('account_id', '=', owner.id)
        .execute();
      expect(rows).toEqual([]);
    }
    const operations = await server.db
      .selectFrom('operations')
      .select('value')
      .where('account_id', '=', owner.id)
      .execute();
    expect(operations).toEqual([{ value: null }, { value: null }, { value: null }]);
    expect(
      await server.call(
        'task/paragraph-history',
        { id: paragraph, radio_file_id: transcribed.id },
        token(),
      ),
    ).toMatchObject({ code: codes.notFound, data: null });
  });

  it('wins over all other edits, including later ones and a restore', async () => {
    const transcribed = await transcribedRecording(server, owner);
    const recording = transcribed.clientFlag;
    const [paragraph = ''] = transcribed.paragraphs;
    // The deletion wins even though it was made an hour before the other edits.
    await phone.applyOne({ type: 'recording.rename', recording, name: 'Kept?' });
    await phone.applyOne({ type: 'recording.recover', recording });
    const at = new Date(Date.now() - 3_600_000).toISOString();
    expect(await phone.applyOne({ type: 'recording.delete', recording, at })).toMatchObject({
      outcome: 'applied',
    });
    const results = await phone.apply([
      operation({ type: 'recording.rename', recording, name: 'Back?' }),
      operation({ type: 'paragraph.edit', recording, paragraph, content: 'Back?' }),
      operation({ type: 'recording.recover', recording, base_rev: 1_000_000 }),
      operation({ type: 'setting.set', group_name: 'g', config_key: 'k', config_value: 'v' }),
    ]);
    expect(results.map(({ outcome, code }) => ({ outcome, code }))).toEqual([
      ...Array(3).fill({ outcome: 'refused', code: codes.recordingDeleted }),
      { outcome: 'applied', code: codes.ok },
    ]);
    expect((await phone.everything()).map(({ kind }) => kind)).toEqual(['tombstone', 'setting']);
  });

  it('succeeds on two phones concurrently and leaves one tombstone', async () => {
    const { client_flag: recording } = await upload();
    const [first, second] = await Promise.all([
      phone.apply([deletion(recording)]),
      phone.apply([deletion(recording)]),
    ]);
    expect([first[0]?.outcome, second[0]?.outcome]).toEqual(['applied', 'applied']);
    expect(await phone.everything()).toHaveLength(1);
  });

  it('does not treat client flags as SQL patterns', async () => {
    const flags = ['a_b', 'axb', 'a%', 'a%/x'];
    for (const clientFlag of flags) {
      await uploadRecording(server, owner, wave, { ext: 'wav', clientFlag });
    }
    await phone.apply(
      flags.map((recording) => operation({ type: 'recording.rename', recording, name: 'N' })),
    );
    await phone.apply([deletion('a_b'), deletion('a%')]);
    const rows = await server.db
      .selectFrom('operations')
      .select(['register', 'value'])
      .where('account_id', '=', owner.id)
      .where('value', 'is not', null)
      .execute();
    expect(rows.map(({ value }) => value)).toMatchObject([
      { recording: 'axb' },
      { recording: 'a%/x' },
    ]);
  });

  it('cancels an active task and releases its minutes', async () => {
    const { id, client_flag: recording } = await upload();
    const { data: task } = await server.call('task/create', { id, language: 'en' }, token());
    const balance = async () => (await server.call('user/leftMinute', {}, token())).data;
    expect(await balance()).toMatchObject({ left_minutes: 29, reserved_minutes: 1 });
    await phone.apply([deletion(recording)]);
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    const now = () => new Date();
    const minutes = createMinutes({ unlimited: false, now });
    const outcomes = createOutcomes({ db: server.db, queue: server.queue, minutes, now });
    const transcript = {
      seconds: 2,
      peaks: '',
      engine: 'e',
      language: 'en',
      paragraphs: [],
    } as const;
    await outcomes.succeed(task.id, { ...transcript, analysis: null, mindMap: null });
    await outcomes.fail(task.id, 'engineFailed');
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    expect(await phone.everything()).toMatchObject([{ kind: 'tombstone' }]);
  });

  it('keeps charged tasks in the history, under the last name of the recording', async () => {
    const transcribed = await transcribedRecording(server, owner);
    const history = async () =>
      (await server.call('radio/translateHistory', {}, token())).data.list;
    expect(await history()).toMatchObject([
      { id: transcribed.taskId, radio_file_id: transcribed.id, name: 'A recording', minutes: 1 },
    ]);
    await phone.applyOne({
      type: 'recording.rename',
      recording: transcribed.clientFlag,
      name: 'Rounds',
    });
    expect(await history()).toMatchObject([{ radio_file_id: transcribed.id, name: 'Rounds' }]);
    await phone.apply([deletion(transcribed.clientFlag)]);
    expect(await history()).toMatchObject([
      {
        id: transcribed.taskId,
        radio_file_id: null,
        name: 'Rounds',
        source: 1,
        minutes: 1,
        language: 'en',
        status: taskStatus.transcribed,
        progress: 100,
      },
    ]);
  });
});

describe('a permanently deleted recording', () => {
  it('is not created again by an upload in progress', async () => {
    const { client_flag: recording } = await upload();
    const pendingUpload = await storeObject(recording);
    await phone.apply([deletion(recording)]);
    expect(await pendingUpload.register()).toMatchObject({
      code: codes.recordingDeleted,
      data: null,
    });
    await waitUntilDeleted(pendingUpload.key);
    // A phone that didn't receive the response retries and gets the same response.
    expect(await pendingUpload.register()).toMatchObject({ code: codes.recordingDeleted });
    const body = { client_flag: recording };
    expect(await server.call('upload/checkOssFile', body, token())).toMatchObject({
      code: codes.recordingDeleted,
      data: null,
    });
    expect(await phone.everything()).toHaveLength(1);
  });

  it('has its object deleted a second time after the grant has expired', async () => {
    const grant = await grantFor(server, owner, 'wav');
    await postObject(server, grant, wave);
    const body = { url: grant.url, file_size: wave.length, client_flag: crypto.randomUUID() };
    await server.call('upload/ossFile', body, token());
    await phone.apply([deletion(body.client_flag)]);
    await waitUntilDeleted(grant.key);
    expect((await postObject(server, grant, wave)).statusCode).toBe(403);
    // Simulate a form upload that was in progress during the deletion.
    await server.store.put(grant.key, Readable.from([wave]), { maxBytes: wave.length });
    const laterJob = (await worker.list(['waiting'])).find(({ payload }) =>
      (payload as { keys?: string[] }).keys?.includes(grant.key),
    );
    expect(laterJob).toBeDefined();
    await sql`update pgboss.job set start_after = now() where id = ${laterJob?.id}`.execute(
      server.db,
    );
    await waitUntilDeleted(grant.key);
  });

  it('cannot be uploaded even if it was deleted before the first upload, except by other accounts', async () => {
    const recording = crypto.randomUUID();
    expect(await phone.applyOne({ type: 'recording.delete', recording })).toMatchObject({
      outcome: 'applied',
      code: codes.ok,
    });
    const { key, register } = await storeObject(recording);
    expect(await register()).toMatchObject({ code: codes.recordingDeleted });
    await waitUntilDeleted(key);
    const other = await server.register();
    const theirRecording = await uploadRecording(server, other, wave, {
      ext: 'wav',
      clientFlag: recording,
    });
    expect(theirRecording.client_flag).toBe(recording);
  });

  it('does not discard the object of another recording', async () => {
    const { id } = await upload();
    const key = await loadObjectKey(id);
    const deletedFlag = crypto.randomUUID();
    await phone.applyOne({ type: 'recording.delete', recording: deletedFlag });
    const url = (await grantFor(server, owner, 'wav')).url.replace(
      /[^/]+$/,
      key.split('/').at(-1) ?? '',
    );
    const body = { url, file_size: wave.length, client_flag: deletedFlag };
    expect(await server.call('upload/ossFile', body, token())).toMatchObject({
      code: codes.recordingDeleted,
    });
    expect(await loadObjectKey(id)).toBe(key);
    expect(await discarded(server)).not.toContain(key);
    expect(await server.store.stat(key)).not.toBeNull();
  });
});
