import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { demuxOgg, muxOgg } from '@linnet/audio/ogg';
import { writeWave } from '@linnet/audio/wave';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { randomOpus, toneWave, uploadRecording } from '../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';
import { SPEECH_SAMPLE_RATE } from '../providers/speech/port.ts';
import { readScene } from '../providers/speech/scene-audio.ts';

/** A scene from the virtual recorder, with 50 packets of audio per second. */
const speechFile = new URL('../../../virtual-recorder/scenes/hotel-call.ogg', import.meta.url);
/** How much of the scene is transcribed. */
const SPEECH_SECONDS = 24;

let server: TestServer;
let account: Account;
let worker: ChildProcess;
let speech: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  const { packets } = demuxOgg(await readFile(speechFile));
  speech = muxOgg(Buffer.concat(packets.slice(0, SPEECH_SECONDS * 50)));
  server = await startTestServer();
  account = await server.register();
  worker = await startWorker(server);
});
afterAll(async () => {
  await stopWorker(worker);
  await server.close();
});

const create = async (id: string) =>
  (await server.call('task/create', { id, language: 'en' }, { token: account.access })).data;
const fetchMinutes = async () =>
  (await server.call('user/leftMinute', {}, { token: account.access })).data;
const charges = (taskId: string) =>
  server.db
    .selectFrom('minute_charges')
    .select(['state', 'minutes'])
    .where('task_id', '=', taskId)
    .execute();

/** Returns whether a second worker is running the task's job. */
async function isRunningAgain(taskId: string): Promise<boolean> {
  const { rows } = await sql<{ state: string; retry_count: number }>`
    select state, retry_count from pgboss.job where data->>'taskId' = ${taskId}`.execute(server.db);
  return rows.some(({ state, retry_count: retries }) => state === 'active' && retries === 1);
}

describe('transcription', () => {
  it('creates paragraphs, a summary and keywords, and charges started minutes', async () => {
    const before = await fetchMinutes();
    const recording = await uploadRecording(server, account, speech);
    expect(recording.total_time).toBe(SPEECH_SECONDS);
    const { id } = await create(recording.id);
    const task = await waitForTask(server, account, id);
    expect(task).toMatchObject({
      radio_file_id: recording.id,
      status: taskStatus.transcribed,
      progress: 100,
      language: 'en',
      error: null,
      minutes: 1,
      engine: expect.stringContaining('pocketsphinx'),
    });
    const text = task.paragraphs.map(({ content }) => content.toLowerCase()).join(' ');
    for (const word of ['hotel', 'lake', 'reservation', 'wednesday']) expect(text).toContain(word);
    expect(task.summary).not.toBe('');
    expect(task.keywords.length).toBeGreaterThan(0);
    const ids = new Set(task.paragraphs.map((paragraph) => paragraph.id));
    const document = task.summary_json as { topics: { paragraph_id: string }[] };
    expect(document.topics).not.toEqual([]);
    for (const { paragraph_id: pointed } of document.topics) expect(ids).toContain(pointed);
    for (const { start_time: start, end_time: end, words } of task.paragraphs) {
      expect(start).toBeLessThan(end);
      expect(words?.length).toBeGreaterThan(0);
    }
    const after = await fetchMinutes();
    expect(after).toMatchObject({ left_minutes: before.left_minutes - 1, reserved_minutes: 0 });
    const { list } = (await server.call('task/index', {}, { token: account.access })).data;
    expect(list[0]).toMatchObject({ id: recording.id, status: 2, keywords: task.keywords });
    // A retry after a lost response returns the existing task.
    expect((await create(recording.id)).id).toBe(id);
    expect(await readdir(path.join(server.config.DATA_DIR, 'scratch'))).toEqual([]);
  });

  it.each([
    ['audioTooShort', 'wav', () => toneWave(1.9)],
    ['audioEmpty', 'ogg', () => new Uint8Array()],
    ['audioEmpty', 'wav', () => toneWave(0)],
    ['audioUnreadable', 'ogg', () => randomOpus(1000)],
    ['audioUnreadable', 'ogg', () => speech.slice(0, 40)],
    ['noSpeech', 'wav', () => toneWave(3, 44_100)],
  ] as const)(
    'ends with %s for an unusable %s file, without charge',
    async (reason, ext, createAudio) => {
      const before = await fetchMinutes();
      const recording = await uploadRecording(server, account, createAudio(), { ext });
      const { id } = await create(recording.id);
      const task = await waitForTask(server, account, id);
      expect(task).toMatchObject({ status: taskStatus.failed, minutes: 0, paragraphs: [] });
      expect(task.error?.code).toBe(codes[reason]);
      expect(task.error?.msg).not.toBe('');
      expect(await fetchMinutes()).toEqual(before);
      expect(await charges(id)).toEqual([{ state: 'released', minutes: 1 }]);
    },
  );
});

describe('transcription with a killed worker', () => {
  /** The first seconds of the scene. Long enough to kill a worker during recognition. */
  let clip: Uint8Array<ArrayBuffer>;
  /** The paragraphs of a task whose worker was never killed. */
  let reference: string[];
  beforeAll(async () => {
    const { samples } = await readScene('hotel-call');
    clip = writeWave(samples.subarray(0, 6 * SPEECH_SAMPLE_RATE), SPEECH_SAMPLE_RATE);
    const recording = await uploadRecording(server, account, clip, { ext: 'wav' });
    const { id } = await create(recording.id);
    const { paragraphs } = await waitForTask(server, account, id);
    reference = paragraphs.map(({ content }) => content);
    expect(reference.join(' ')).not.toBe('');
  });

  it.each(['at the start', 'during recognition'] as const)(
    'is rerun after a kill %s with the same transcript and a single charge',
    async (killTime) => {
      const recording = await uploadRecording(server, account, clip, { ext: 'wav' });
      const { id } = await create(recording.id);
      const isRecognizing = killTime === 'during recognition';
      await waitForTask(
        server,
        account,
        id,
        ({ status, step }) =>
          status === taskStatus.working && (!isRecognizing || step?.name === 'recognise'),
      );
      await stopWorker(worker, 'SIGKILL');
      worker = await startWorker(server);
      // Allow 10 s for the dead worker to be detected, plus the time to restart its job.
      await vi.waitUntil(() => isRunningAgain(id), { timeout: 60_000, interval: 50 });
      const task = await waitForTask(server, account, id);
      expect(task.status).toBe(taskStatus.transcribed);
      expect(await charges(id)).toEqual([{ state: 'settled', minutes: 1 }]);
      expect(task.paragraphs.map(({ content }) => content)).toEqual(reference);
    },
  );
});
