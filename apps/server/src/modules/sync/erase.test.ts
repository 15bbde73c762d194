import { Readable } from 'node:stream';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { discarded, startDeleting } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { operation, phoneOf } from '../../../test/sync.ts';
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
  phone = phoneOf(server, owner);
});

const token = () => ({ token: owner.access });
const wave = toneWave(2.5, 8000);
const upload = () => uploadRecording(server, owner, wave, { ext: 'wav' });
const deleted = (recording: string) => operation({ type: 'recording.delete', recording });
const keyOf = async (id: string) => {
  const row = await server.db
    .selectFrom('recordings')
    .select('object_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.object_key ?? '';
};
const goneFromStore = (key: string) =>
  vi.waitUntil(async () => (await server.store.stat(key)) === null, { timeout: 60_000 });
/** Uploads an object for a recording of this identity, up to but excluding ossFile. */
async function stored(clientFlag: string) {
  const grant = await grantFor(server, owner, 'wav');
  expect((await postObject(server, grant, wave)).statusCode).toBe(204);
  const body = { url: grant.url, file_size: wave.length, client_flag: clientFlag };
  return { key: grant.key, register: () => server.call('upload/ossFile', body, token()) };
}

describe('permanent deletion', () => {
  it('removes rows, texts and audio, and leaves a tombstone', async () => {
    const mine = await transcribedRecording(server, owner);
    const key = await keyOf(mine.id);
    const [paragraph = ''] = mine.paragraphs;
    const recording = mine.clientFlag;
    await phone.apply([
      operation({ type: 'recording.rename', recording, name: 'Private' }),
      operation({ type: 'paragraph.edit', recording, paragraph, content: 'Private too.' }),
    ]);
    expect(await server.store.stat(key)).not.toBeNull();
    const { rev, outcome } = await phone.act({ type: 'recording.delete', recording });
    expect(outcome).toBe('applied');
    expect(await phone.everything()).toMatchObject([
      { kind: 'tombstone', id: mine.id, client_flag: recording, rev },
    ]);
    await goneFromStore(key);
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
        { id: paragraph, radio_file_id: mine.id },
        token(),
      ),
    ).toMatchObject({ code: codes.notFound, data: null });
  });

  it('wins over every edit, also later ones, and over a restore', async () => {
    const mine = await transcribedRecording(server, owner);
    const recording = mine.clientFlag;
    const [paragraph = ''] = mine.paragraphs;
    // Done an hour before the server's last edit: still permanent.
    await phone.act({ type: 'recording.rename', recording, name: 'Kept?' });
    await phone.act({ type: 'recording.recover', recording });
    const at = new Date(Date.now() - 3_600_000).toISOString();
    expect(await phone.act({ type: 'recording.delete', recording, at })).toMatchObject({
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

  it('on two phones leaves one tombstone and succeeds on both', async () => {
    const { client_flag: recording } = await upload();
    const [first, second] = await Promise.all([
      phone.apply([deleted(recording)]),
      phone.apply([deleted(recording)]),
    ]);
    expect([first[0]?.outcome, second[0]?.outcome]).toEqual(['applied', 'applied']);
    expect(await phone.everything()).toHaveLength(1);
  });

  it('distinguishes identities that match as SQL patterns', async () => {
    const flags = ['a_b', 'axb', 'a%', 'a%/x'];
    for (const clientFlag of flags) {
      await uploadRecording(server, owner, wave, { ext: 'wav', clientFlag });
    }
    await phone.apply(
      flags.map((recording) => operation({ type: 'recording.rename', recording, name: 'N' })),
    );
    await phone.apply([deleted('a_b'), deleted('a%')]);
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

  it('during a task releases the minutes, and the task has no result', async () => {
    const { id, client_flag: recording } = await upload();
    const { data: task } = await server.call('task/create', { id, language: 'en' }, token());
    const balance = async () => (await server.call('user/leftMinute', {}, token())).data;
    expect(await balance()).toMatchObject({ left_minutes: 29, reserved_minutes: 1 });
    await phone.apply([deleted(recording)]);
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    const now = () => new Date();
    const minutes = createMinutes({ unlimited: false, now });
    const outcomes = createOutcomes({ db: server.db, queue: server.queue, minutes, now });
    const heard = { seconds: 2, peaks: '', engine: 'e', language: 'en', paragraphs: [] } as const;
    await outcomes.succeed(task.id, { ...heard, analysis: null, mindMap: null });
    await outcomes.fail(task.id, 'engineFailed');
    expect(await balance()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    expect(await phone.everything()).toMatchObject([{ kind: 'tombstone' }]);
  });

  it('retains charged tasks in the history under the last name', async () => {
    const mine = await transcribedRecording(server, owner);
    const history = async () =>
      (await server.call('radio/translateHistory', {}, token())).data.list;
    expect(await history()).toMatchObject([
      { id: mine.taskId, radio_file_id: mine.id, name: 'A recording', minutes: 1 },
    ]);
    await phone.act({ type: 'recording.rename', recording: mine.clientFlag, name: 'Rounds' });
    expect(await history()).toMatchObject([{ radio_file_id: mine.id, name: 'Rounds' }]);
    await phone.apply([deleted(mine.clientFlag)]);
    expect(await history()).toMatchObject([
      {
        id: mine.taskId,
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
  it('is not restored by an upload in progress', async () => {
    const { client_flag: recording } = await upload();
    const activeStatuses = await stored(recording);
    await phone.apply([deleted(recording)]);
    expect(await activeStatuses.register()).toMatchObject({
      code: codes.recordingDeleted,
      data: null,
    });
    await goneFromStore(activeStatuses.key);
    // A phone that lost the response retries and gets the same one.
    expect(await activeStatuses.register()).toMatchObject({ code: codes.recordingDeleted });
    const body = { client_flag: recording };
    expect(await server.call('upload/checkOssFile', body, token())).toMatchObject({
      code: codes.recordingDeleted,
      data: null,
    });
    expect(await phone.everything()).toHaveLength(1);
  });

  it('has its object deleted again after its grant has expired', async () => {
    const grant = await grantFor(server, owner, 'wav');
    await postObject(server, grant, wave);
    const body = { url: grant.url, file_size: wave.length, client_flag: crypto.randomUUID() };
    await server.call('upload/ossFile', body, token());
    await phone.apply([deleted(body.client_flag)]);
    await goneFromStore(grant.key);
    expect((await postObject(server, grant, wave)).statusCode).toBe(403);
    // Simulates a form upload in progress during the deletion.
    await server.store.put(grant.key, Readable.from([wave]), { maxBytes: wave.length });
    const later = (await worker.list(['waiting'])).find(({ payload }) =>
      (payload as { keys?: string[] }).keys?.includes(grant.key),
    );
    expect(later).toBeDefined();
    await sql`update pgboss.job set start_after = now() where id = ${later?.id}`.execute(server.db);
    await goneFromStore(grant.key);
  });

  it('cannot be uploaded if deleted before its first upload, for this account only', async () => {
    const recording = crypto.randomUUID();
    expect(await phone.act({ type: 'recording.delete', recording })).toMatchObject({
      outcome: 'applied',
      code: codes.ok,
    });
    const { key, register } = await stored(recording);
    expect(await register()).toMatchObject({ code: codes.recordingDeleted });
    await goneFromStore(key);
    const other = await server.register();
    const theirs = await uploadRecording(server, other, wave, {
      ext: 'wav',
      clientFlag: recording,
    });
    expect(theirs.client_flag).toBe(recording);
  });

  it('does not delete an object of another recording', async () => {
    const { id } = await upload();
    const key = await keyOf(id);
    const gone = crypto.randomUUID();
    await phone.act({ type: 'recording.delete', recording: gone });
    const url = (await grantFor(server, owner, 'wav')).url.replace(
      /[^/]+$/,
      key.split('/').at(-1) ?? '',
    );
    const body = { url, file_size: wave.length, client_flag: gone };
    expect(await server.call('upload/ossFile', body, token())).toMatchObject({
      code: codes.recordingDeleted,
    });
    expect(await keyOf(id)).toBe(key);
    expect(await discarded(server)).not.toContain(key);
    expect(await server.store.stat(key)).not.toBeNull();
  });
});
