import { createHash } from 'node:crypto';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { prefixes } from '@linnet/contract/routes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discarded } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { phoneOf } from '../../../test/sync.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { grantFor, postObject, toneWave } from '../../../test/uploads.ts';
import { freeAudioJob } from '../../jobs/free-audio.ts';
import type { Copies } from './free-audio.ts';
import { mayLeaveServer } from './free-audio.ts';

describe('the server’s copy of the audio', () => {
  const verified = { object_key: 'voice/a/b.ogg', client_sha256: 'ab', stored_rev: 5 };
  const removable: Copies = {
    cloud: false,
    phoneSince: 0,
    recording: verified,
    task: taskStatus.transcribed,
  };
  it.each<[string, Partial<Copies>, boolean]>([
    ['is deleted if it was uploaded for transcription and a phone has a copy', {}, true],
    ['stays when recordings are kept on the server', { cloud: true }, false],
    ['stays when phones do not keep them', { phoneSince: null }, false],
    ['goes when phones kept them before it came', { phoneSince: 4 }, true],
    ['stays when phones did not keep them when it came', { phoneSince: 5 }, false],
    ['stays when phones began to keep them after it came', { phoneSince: 6 }, false],
    [
      'is retained without a matching hash',
      { recording: { ...verified, client_sha256: null } },
      false,
    ],
    [
      'is retained if its upload time is unknown',
      { recording: { ...verified, stored_rev: null } },
      false,
    ],
    ['is gone when it is gone', { recording: { ...verified, object_key: null } }, false],
    ['stays when nobody had it transcribed', { task: null }, false],
    ['stays while a task waits', { task: taskStatus.queued }, false],
    ['stays while a task runs', { task: taskStatus.working }, false],
    ['stays when the task failed', { task: taskStatus.failed }, false],
  ])('%s', (_, differs, expected) => {
    expect(mayLeaveServer({ ...removable, ...differs })).toBe(expected);
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
/** Moves the clock and renews the access token. @param ms milliseconds */
async function pass(ms: number) {
  server.pass(ms / 1000);
  const { email, password } = owner;
  const { data } = await server.call('user/login', { email, password });
  owner = { ...owner, access: data.access_token };
}
/** Passes the grace period of the storage setting and runs the due jobs. */
async function graceEnds() {
  await pass(limits.deletionGraceMs);
  await freeAudioJob(server)({ accountId: owner.id }, new AbortController().signal);
}
const read = (clientFlag: string) => phoneOf(server, owner).recording(clientFlag);

describe('audio stored on the server only for transcription', () => {
  it('is deleted when its task succeeds, and phones are notified', async () => {
    await save('cloud', '0');
    await graceEnds();
    const recording = await upload();
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
    const { taskId } = await transcribe(server, owner, recording.id, ['Heard.']);
    expect(await read(recording.client_flag)).toMatchObject({ url: null, status: 2 });
    expect(await discarded(server)).toContain(recording.key);
    // A new transcription requires the audio again and accepts it.
    const asked = { id: recording.id, language: 'en', again: taskId };
    expect(await server.call('task/create', asked, token())).toMatchObject({
      code: codes.notUploaded,
    });
    // The old URL is invalid: a late retry cannot register an object that a job is deleting.
    const late = { url: recording.grant.url, file_size: wave.length };
    expect(
      await server.call('upload/ossFile', { ...late, client_flag: recording.client_flag }, token()),
    ).toMatchObject({ code: codes.keyNotIssued });
    const again = await grantFor(server, owner, 'wav');
    await postObject(server, again, wave);
    const body = { ...late, url: again.url, client_flag: recording.client_flag };
    const { data } = await server.call('upload/ossFile', body, token());
    expect(data).toMatchObject({ id: recording.id, url: expect.any(String) });
    expect((await server.call('task/create', asked, token())).code).toBe(codes.ok);
  });

  it('is deleted when the setting changes, if transcribed and verified', async () => {
    const transcribed = await upload();
    await transcribe(server, owner, transcribed.id, ['Heard.']);
    const unverified = await upload({ verified: false });
    await transcribe(server, owner, unverified.id, ['Heard.']);
    const untouched = await upload();
    const wanted = await upload();
    const { taskId } = await transcribe(server, owner, wanted.id, ['Heard.']);
    const asked = { id: wanted.id, language: 'en', again: taskId };
    await server.call('task/create', asked, token());
    await save('cloud', '0');
    expect(await read(transcribed.client_flag)).toMatchObject({ url: expect.any(String) });
    await graceEnds();
    expect(await read(transcribed.client_flag)).toMatchObject({ url: null });
    for (const kept of [unverified, untouched, wanted]) {
      expect(await read(kept.client_flag)).toMatchObject({ url: expect.any(String) });
      expect(await discarded(server)).not.toContain(kept.key);
    }
    const other = await server.register();
    expect(await phoneOf(server, other).everything()).toEqual([]);
  });

  it('is retained if phones do not store recordings, also after they start to', async () => {
    const before = await upload();
    await save('app', '0');
    const during = await upload();
    for (const { id } of [before, during]) await transcribe(server, owner, id, ['Heard.']);
    await save('cloud', '0');
    await save('app', '1');
    await graceEnds();
    // A phone may have deleted its copy of either in the meantime.
    for (const { client_flag: flag } of [before, during]) {
      expect(await read(flag)).toMatchObject({ url: expect.any(String) });
    }
    const after = await upload();
    await transcribe(server, owner, after.id, ['Heard.']);
    expect(await read(after.client_flag)).toMatchObject({ url: null });
  });

  it('is retained for recordings whose copies a phone may have deleted manually', async () => {
    const before = await upload();
    await transcribe(server, owner, before.id, ['Heard.']);
    await save('app_freed', '2026-03-01T08:00:00.000Z');
    await save('cloud', '0');
    await graceEnds();
    expect(await read(before.client_flag)).toMatchObject({ url: expect.any(String) });
    const after = await upload();
    await transcribe(server, owner, after.id, ['Heard.']);
    expect(await read(after.client_flag)).toMatchObject({ url: null });
    await save('app_freed', '2026-03-02T08:00:00.000Z');
    expect(await read(before.client_flag)).toMatchObject({ url: expect.any(String) });
  });

  it('is deleted if the phones’ storage setting is set to its current value', async () => {
    const recording = await upload();
    await save('app', '1');
    await transcribe(server, owner, recording.id, ['Heard.']);
    await save('cloud', '0');
    await graceEnds();
    expect(await read(recording.client_flag)).toMatchObject({ url: null });
  });

  it('is retained if the cloud is turned on again within the grace period', async () => {
    const recording = await upload();
    await transcribe(server, owner, recording.id, ['Heard.']);
    await save('cloud', '0');
    await pass(limits.deletionGraceMs / 2);
    await save('cloud', '1');
    await graceEnds();
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
    // Turning it off again restarts the grace period.
    await save('cloud', '0');
    await freeAudioJob(server)({ accountId: owner.id }, new AbortController().signal);
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
  });

  it('is retained if it was uploaded by form without a phone’s hash', async () => {
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
    await graceEnds();
    expect(await read(flag)).toMatchObject({ url: expect.any(String) });
  });

  it('is retained by default', async () => {
    const recording = await upload();
    await transcribe(server, owner, recording.id, ['Heard.']);
    expect(await read(recording.client_flag)).toMatchObject({ url: expect.any(String) });
    expect(await discarded(server)).not.toContain(recording.key);
  });
});
