import { createHash } from 'node:crypto';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { prefixes } from '@linnet/contract/routes';
import { taskStatus } from '@linnet/contract/statuses';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discarded } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { createTranscriptionDependencies } from '../../../test/transcription.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { grantFor, postObject, toneWave } from '../../../test/uploads.ts';
import { freeAudioJob } from '../../jobs/free-audio.ts';
import type { CopyState } from './free-audio.ts';
import { canDeleteServerAudio } from './free-audio.ts';

describe('the server’s copy of the audio', () => {
  const verified = { object_key: 'voice/a/b.ogg', client_sha256: 'ab', stored_rev: 5 };
  const removable: CopyState = {
    cloud: false,
    phoneSince: 0,
    recording: verified,
    task: taskStatus.transcribed,
  };
  it.each<[string, Partial<CopyState>, boolean]>([
    ['is deleted if it was uploaded for transcription and a phone has a copy', {}, true],
    ['is kept while cloud storage is on', { cloud: true }, false],
    ['is kept while phone storage is off', { phoneSince: null }, false],
    ['is deleted if phone storage was on before the upload', { phoneSince: 4 }, true],
    ['is kept if phone storage was turned on with the upload', { phoneSince: 5 }, false],
    ['is kept if phone storage was turned on after the upload', { phoneSince: 6 }, false],
    ['is kept without a matching hash', { recording: { ...verified, client_sha256: null } }, false],
    [
      'is kept if its upload time is unknown',
      { recording: { ...verified, stored_rev: null } },
      false,
    ],
    [
      'is not deleted again if it does not exist',
      { recording: { ...verified, object_key: null } },
      false,
    ],
    ['is kept if it was never transcribed', { task: null }, false],
    ['is kept while its task is queued', { task: taskStatus.queued }, false],
    ['is kept while its task is in progress', { task: taskStatus.working }, false],
    ['is kept if its task failed', { task: taskStatus.failed }, false],
  ])('%s', (_, overrides, expected) => {
    expect(canDeleteServerAudio({ ...removable, ...overrides })).toBe(expected);
  });
});

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});
const token = () => ({ token: owner.access });
const wave = toneWave(2.5, 8000);
async function upload({ verified = true } = {}) {
  const grant = await grantFor(server, owner, 'wav');
  await postObject(server, grant, wave);
  const sha256 = createHash('sha256').update(wave).digest('hex');
  const body = { url: grant.url, file_size: wave.length, client_flag: crypto.randomUUID() };
  const { data } = await server.call(
    'upload/ossFile',
    { ...body, ...(verified && { sha256 }) },
    token(),
  );
  return { ...data, key: grant.key, grant };
}
const save = async (config_key: string, config_value: string) => {
  const body = { group_name: 'radio_save_style', config_key, config_value };
  expect((await server.call('user/updateConfig', body, token())).code).toBe(codes.ok);
};
/** Advances the clock by some milliseconds and signs in again, because the access token may have expired. */
async function advanceClock(ms: number) {
  server.advanceClock(ms / 1000);
  const { email, password } = owner;
  const { data } = await server.call('user/login', { email, password });
  owner = { ...owner, access: data.access_token };
}
/** Advances the clock past the storage setting's grace period and runs the job. */
async function endGracePeriod() {
  await advanceClock(limits.deletionGraceMs);
  await freeAudioJob(server)({ accountId: owner.id }, new AbortController().signal);
}
const read = (clientFlag: string) => createPhone(server, owner).recording(clientFlag);

describe('audio stored on the server only for transcription', () => {
  it('is deleted when its task succeeds, and the deletion is synced to phones', async () => {
    await save('cloud', '0');
    await endGracePeriod();
    const recording = await upload();
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
    const { taskId } = await transcribe(server, owner, recording.id, ['Heard.']);
    expect(await read(recording.client_flag)).toMatchObject({ url: null, status: 2 });
    expect(await discarded(server)).toContain(recording.key);
    // A new transcription requires another upload of the audio.
    const createBody = { id: recording.id, language: 'en', again: taskId };
    expect(await server.call('task/create', createBody, token())).toMatchObject({
      code: codes.notUploaded,
    });
    // A late retry must not register the old object, which a job is deleting.
    const lateRegistration = { url: recording.grant.url, file_size: wave.length };
    expect(
      await server.call(
        'upload/ossFile',
        { ...lateRegistration, client_flag: recording.client_flag },
        token(),
      ),
    ).toMatchObject({ code: codes.keyNotIssued });
    const newGrant = await grantFor(server, owner, 'wav');
    await postObject(server, newGrant, wave);
    const body = { ...lateRegistration, url: newGrant.url, client_flag: recording.client_flag };
    const { data } = await server.call('upload/ossFile', body, token());
    expect(data).toMatchObject({ id: recording.id, url: expect.any(String) });
    expect((await server.call('task/create', createBody, token())).code).toBe(codes.ok);
  });

  it.each(['fails', 'is canceled'])(
    'is deleted when the transcription of a range %s',
    async (end) => {
      const recording = await upload();
      const { taskId, paragraphs } = await transcribe(server, owner, recording.id, ['Heard.']);
      const paragraph = paragraphs[0] ?? '';
      const length = { start_time: 0, end_time: 2.5 };
      await server.db.updateTable('paragraphs').set(length).where('id', '=', paragraph).execute();
      const { data: task } = await server.call(
        'task/create',
        {
          id: recording.id,
          language: 'en',
          again: taskId,
          range: { from: paragraph, to: paragraph },
        },
        token(),
      );
      await save('cloud', '0');
      await endGracePeriod();
      expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
      if (end === 'fails')
        await createTranscriptionDependencies(server).outcomes.fail(task.id, 'noSpeech');
      else await server.call('task/cancel', { id: task.id }, token());
      expect(await read(recording.client_flag)).toMatchObject({ url: null });
      expect(await discarded(server)).toContain(recording.key);
    },
  );

  it('is deleted after the grace period if the transcription of a range had failed', async () => {
    const recording = await upload();
    const { taskId, paragraphs } = await transcribe(server, owner, recording.id, ['Heard.']);
    const [from = '', to = from] = paragraphs;
    const range = { from, to, transcript: taskId, start: 0, end: 2.5, language: 'en' };
    const failed = {
      account_id: owner.id,
      recording_id: recording.id,
      status: taskStatus.failed,
      error_code: codes.noSpeech,
      rev: 1,
    };
    const values = {
      ...failed,
      id: uuidv7(),
      language: 'en',
      range: JSON.stringify(range),
    } as const;
    await server.db.insertInto('tasks').values(values).execute();
    await save('cloud', '0');
    await endGracePeriod();
    expect(await read(recording.client_flag)).toMatchObject({ url: null });
  });

  it('is deleted when cloud storage is turned off, if it was transcribed and verified', async () => {
    const transcribed = await upload();
    await transcribe(server, owner, transcribed.id, ['Heard.']);
    const unverified = await upload({ verified: false });
    await transcribe(server, owner, unverified.id, ['Heard.']);
    const untouched = await upload();
    const queued = await upload();
    const { taskId } = await transcribe(server, owner, queued.id, ['Heard.']);
    const createBody = { id: queued.id, language: 'en', again: taskId };
    await server.call('task/create', createBody, token());
    await save('cloud', '0');
    expect(await read(transcribed.client_flag)).toMatchObject({ url: expect.any(String) });
    await endGracePeriod();
    expect(await read(transcribed.client_flag)).toMatchObject({ url: null });
    for (const retained of [unverified, untouched, queued]) {
      expect(await read(retained.client_flag)).toMatchObject({ url: expect.any(String) });
      expect(await discarded(server)).not.toContain(retained.key);
    }
    const other = await server.register();
    expect(await createPhone(server, other).everything()).toEqual([]);
  });

  it('is kept if it was uploaded while phone storage was off, or before', async () => {
    const before = await upload();
    await save('app', '0');
    const concurrentUpload = await upload();
    for (const { id } of [before, concurrentUpload])
      await transcribe(server, owner, id, ['Heard.']);
    await save('cloud', '0');
    await save('app', '1');
    await endGracePeriod();
    // A phone may have deleted its copies of both recordings while phone storage was off.
    for (const { client_flag: flag } of [before, concurrentUpload]) {
      expect(await read(flag)).toMatchObject({ url: expect.any(String) });
    }
    const after = await upload();
    await transcribe(server, owner, after.id, ['Heard.']);
    expect(await read(after.client_flag)).toMatchObject({ url: null });
  });

  it('is kept for recordings whose copies may have been deleted manually on a phone', async () => {
    const before = await upload();
    await transcribe(server, owner, before.id, ['Heard.']);
    await save('app_freed', '2026-03-01T08:00:00.000Z');
    await save('cloud', '0');
    await endGracePeriod();
    expect(await read(before.client_flag)).toMatchObject({ url: expect.any(String) });
    const after = await upload();
    await transcribe(server, owner, after.id, ['Heard.']);
    expect(await read(after.client_flag)).toMatchObject({ url: null });
    await save('app_freed', '2026-03-02T08:00:00.000Z');
    expect(await read(before.client_flag)).toMatchObject({ url: expect.any(String) });
  });

  it('is deleted even if phone storage was set to its current value after the upload', async () => {
    const recording = await upload();
    await save('app', '1');
    await transcribe(server, owner, recording.id, ['Heard.']);
    await save('cloud', '0');
    await endGracePeriod();
    expect(await read(recording.client_flag)).toMatchObject({ url: null });
  });

  it('is kept if cloud storage is turned on again within the grace period', async () => {
    const recording = await upload();
    await transcribe(server, owner, recording.id, ['Heard.']);
    await save('cloud', '0');
    await advanceClock(limits.deletionGraceMs / 2);
    await save('cloud', '1');
    await endGracePeriod();
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
    // Turning it off again restarts the grace period.
    await save('cloud', '0');
    await freeAudioJob(server)({ accountId: owner.id }, new AbortController().signal);
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
  });

  it('is kept if it was uploaded with a form, without a hash', async () => {
    await save('cloud', '0');
    const form = new FormData();
    form.append('radio', new File([wave], 'Lunch.wav', { type: 'audio/wav' }));
    const encoded = new Response(form);
    const response = await server.app.inject({
      method: 'POST',
      url: `${prefixes.recorder}/upload/radioFile`,
      headers: {
        'content-type': encoded.headers.get('content-type') ?? '',
        authorization: `Bearer ${owner.access}`,
      },
      payload: Buffer.from(await encoded.arrayBuffer()),
    });
    const { id, client_flag: flag } = response.json().data;
    await transcribe(server, owner, id, ['Heard.']);
    expect(await read(flag)).toMatchObject({ url: expect.any(String), status: 2 });
    await save('cloud', '1');
    await save('cloud', '0');
    await endGracePeriod();
    expect(await read(flag)).toMatchObject({ url: expect.any(String) });
  });

  it('is kept by default', async () => {
    const recording = await upload();
    await transcribe(server, owner, recording.id, ['Heard.']);
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
    expect(await discarded(server)).not.toContain(recording.key);
  });
});
