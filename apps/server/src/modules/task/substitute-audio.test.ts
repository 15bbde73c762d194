import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { discarded } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject, toneWave, uploadRecording } from '../../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../../test/worker.ts';
import { SPEECH_SAMPLE_RATE } from '../../providers/speech/port.ts';
import { readScene } from '../../providers/speech/scene-audio.ts';
import { sweepUploads } from '../upload/sweep.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
});
afterAll(() => server.close());

const token = () => ({ token: owner.access });
/** Uploads a recording without speech. */
const uploadTone = () => uploadRecording(server, owner, toneWave(3), { ext: 'wav' });
/** Stores bytes under a new grant. */
async function storeObject(account: Account, bytes: Uint8Array<ArrayBuffer>) {
  const grant = await grantFor(server, account, 'wav');
  expect((await postObject(server, grant, bytes)).statusCode).toBe(204);
  return grant;
}
const create = (id: string, url: string) =>
  server.call('task/create', { id, language: 'en', audio_url: url }, token());

describe('substitute audio for a task', () => {
  it('is transcribed and then deleted', async () => {
    const { id, peaks } = await uploadTone();
    const { samples } = await readScene('hotel-call');
    const substitute = await storeObject(
      owner,
      writeWave(samples.subarray(0, 12 * SPEECH_SAMPLE_RATE), SPEECH_SAMPLE_RATE),
    );
    const created = await create(id, substitute.url);
    expect(created.code).toBe(codes.ok);
    const worker = await startWorker(server);
    try {
      const task = await waitForTask(server, owner, created.data.id, undefined, 120_000);
      expect(task).toMatchObject({ status: taskStatus.transcribed });
      expect(task.paragraphs.length).toBeGreaterThan(0);
      // A retry after a lost response returns the same task even though the audio is deleted.
      expect((await create(id, substitute.url)).data.id).toBe(created.data.id);
      const isDeleted = async () => (await server.store.stat(substitute.key)) === null;
      await vi.waitUntil(isDeleted, { timeout: 60_000 });
    } finally {
      await stopWorker(worker);
    }
    const { data } = await server.call('task/index', { ids: [id] }, token());
    expect(data.list[0]?.url).not.toBeNull();
    // The recording's duration and peaks are unchanged.
    expect(data.list[0]).toMatchObject({ total_time: 3, peaks });
  });

  it('is kept while its task is queued, and is deleted together with the recording', async () => {
    const { id } = await uploadTone();
    const substitute = await storeObject(owner, toneWave(3));
    expect((await create(id, substitute.url)).code).toBe(codes.ok);
    await server.advanceClock(30 * 24 * 3600);
    await sweepUploads({
      db: server.db,
      store: server.store,
      queue: server.queue,
      now: server.now,
    });
    expect(await discarded(server)).not.toContain(substitute.key);
    owner = await server.register();
    const other = await uploadTone();
    const secondSubstitute = await storeObject(owner, toneWave(3));
    expect((await create(other.id, secondSubstitute.url)).code).toBe(codes.ok);
    const erased = await server.call('radio/batchDelete', { ids: [other.id] }, token());
    expect(erased.code).toBe(codes.ok);
    expect(await discarded(server)).toContain(secondSubstitute.key);
  });

  it('cannot belong to another account or to a recording, and cannot be registered as a recording', async () => {
    const { id } = await uploadTone();
    const otherUser = await server.register();
    const theirAudio = await storeObject(otherUser, toneWave(3));
    expect(await create(id, theirAudio.url)).toMatchObject({
      code: codes.keyNotIssued,
      data: null,
    });
    const grant = await storeObject(owner, toneWave(3));
    const file = {
      name: '',
      source: 1,
      url: grant.url,
      file_size: toneWave(3).length,
      ext: 'wav',
      mime_type: 'audio/wav',
      total_time: 3,
      sn: '',
    };
    const register = (client_flag: string) =>
      server.call('upload/ossFile', { ...file, client_flag }, token());
    expect((await create(id, grant.url)).code).toBe(codes.ok);
    expect(await register('one')).toMatchObject({ code: codes.keyNotIssued });

    const registeredAudio = await storeObject(owner, toneWave(3));
    file.url = registeredAudio.url;
    expect((await register('two')).code).toBe(codes.ok);
    const thirdRecording = await uploadTone();
    expect(await create(thirdRecording.id, registeredAudio.url)).toMatchObject({
      code: codes.keyNotIssued,
    });
    const neverUploaded = await grantFor(server, owner, 'wav');
    expect(await create(thirdRecording.id, neverUploaded.url)).toMatchObject({
      code: codes.objectMissing,
    });
  });
});
