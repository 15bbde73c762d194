import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { idleHandlers } from '../../test/jobs.ts';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../test/transcription.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import type { Outcomes, Transcript } from '../modules/task/outcome.ts';
import type { SpeechRecognizer } from '../providers/speech/port.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import { JobPostponed } from './jobs.ts';
import { openQueue } from './queue.ts';
import { abandonTaskJob, transcribeJob } from './transcribe.ts';

const log = pino({ level: 'silent' });
let server: TestServer;
let account: Account;
let outcomes: Outcomes;
beforeAll(async () => {
  server = await startTestServer();
  account = await server.register();
  outcomes = createTranscriptionDependencies(server).outcomes;
});
afterAll(() => server.close());

async function newTask(): Promise<string> {
  const { id } = await uploadRecording(server, account, toneWave(3), { ext: 'wav' });
  const body = { id, language: 'en' };
  return (await server.call('task/create', body, { token: account.access })).data.id;
}
const detail = async (id: string) =>
  (await server.call('task/detail', { id }, { token: account.access })).data;
const fetchMinutes = async () =>
  (await server.call('user/leftMinute', {}, { token: account.access })).data;

const job = (transcribe: SpeechRecognizer['transcribe']) =>
  transcribeJob(createTranscriptionDependencies(server, { engines: scriptedEngines(transcribe) }));
const neverAborted = new AbortController().signal;

describe('engine failure', () => {
  it('is retried three times, then fails the task without charge', async () => {
    const before = await fetchMinutes();
    const taskId = await newTask();
    const crash = job(async () => {
      throw new SpeechFailure('engine-crashed', 'SIGSEGV');
    });
    await expect(crash({ taskId }, neverAborted)).rejects.toThrow('engine-crashed');
    await expect(crash({ taskId }, neverAborted)).rejects.toThrow('engine-crashed');
    expect((await detail(taskId)).status).toBe(taskStatus.working);
    await crash({ taskId }, neverAborted);
    expect(await detail(taskId)).toMatchObject({
      status: taskStatus.failed,
      error: { code: codes.engineFailed },
    });
    expect(await fetchMinutes()).toEqual(before);
  });

  it('leaves the task in progress, no matter how often the service is unavailable', async () => {
    const taskId = await newTask();
    const run = job(async () => {
      throw new SpeechFailure('service-unavailable', 'no connection ECONNREFUSED');
    });
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(run({ taskId }, neverAborted)).rejects.toBeInstanceOf(JobPostponed);
    }
    const waitingTask = await detail(taskId);
    expect(waitingTask.status).toBe(taskStatus.working);
    expect(waitingTask.step).toMatchObject({
      name: 'recognise',
      waiting_since: expect.any(String),
    });
    let duringRetry: unknown;
    await job(async () => {
      duringRetry = await vi.waitUntil(async () => {
        const { step } = await detail(taskId);
        return step?.waiting_since === undefined ? null : step;
      });
      return recognizedText('The service is back.');
    })({ taskId }, neverAborted);
    // The waiting time starts at the first failed attempt, and a retry doesn't count as progress.
    expect(duringRetry).toMatchObject({ waiting_since: waitingTask.step?.waiting_since });
    expect(await detail(taskId)).toMatchObject({ status: taskStatus.transcribed, step: null });
  });

  it('no longer keeps the task waiting once the service responds', async () => {
    const taskId = await newTask();
    const fail = job(async () => {
      throw new SpeechFailure('service-unavailable', 'no connection ECONNREFUSED');
    });
    await expect(fail({ taskId }, neverAborted)).rejects.toBeInstanceOf(JobPostponed);
    await job(async ({ onProgress }) => {
      onProgress?.(0.5);
      await vi.waitUntil(async () => {
        const { step } = await detail(taskId);
        return step?.name === 'recognise' && step.waiting_since === undefined;
      });
      return recognizedText('The service is back.');
    })({ taskId }, neverAborted);
    expect((await detail(taskId)).status).toBe(taskStatus.transcribed);
  });

  it.each([
    ['engine-missing', 'engineMisconfigured'],
    ['model-missing', 'engineMisconfigured'],
    ['model-corrupt', 'engineMisconfigured'],
    ['access-refused', 'engineMisconfigured'],
    ['quota-exhausted', 'engineQuota'],
    ['output-unreadable', 'engineFailed'],
    ['language-unsupported', 'languageUnavailable'],
    ['audio-unreadable', 'audioUnreadable'],
  ] as const)('ends the task without retries (%s)', async (code, failure) => {
    const taskId = await newTask();
    const before = await fetchMinutes();
    const run = job(async () => {
      throw new SpeechFailure(code, 'simulated');
    });
    await run({ taskId }, neverAborted);
    const { error } = await detail(taskId);
    expect(error?.code).toBe(codes[failure]);
    expect(error?.msg).not.toBe('');
    expect((await fetchMinutes()).left_minutes).toBe(before.left_minutes + 1);
  });

  it('leaves the task in progress when the worker is stopping', async () => {
    const taskId = await newTask();
    const stopping = new AbortController();
    const run = job(async ({ signal }) => {
      stopping.abort();
      signal?.throwIfAborted();
      throw new Error('the signal was not passed on');
    });
    await expect(run({ taskId }, stopping.signal)).rejects.toThrow('aborted');
    expect((await detail(taskId)).status).toBe(taskStatus.working);
  });
});

describe('task', () => {
  const transcript: Transcript = {
    seconds: 3,
    peaks: '',
    engine: 'scripted',
    language: 'en',
    paragraphs: [],
    analysis: null,
    mindMap: null,
  };
  const paragraph = { start: 0, end: 1, content: 'Hello.', words: [] };

  it('ends and is charged once if two workers complete it', async () => {
    const before = await fetchMinutes();
    const taskId = await newTask();
    const finish = () =>
      outcomes.succeed(taskId, {
        ...transcript,
        paragraphs: [{ id: crypto.randomUUID(), ...paragraph }],
      });
    await Promise.all([finish(), finish(), outcomes.fail(taskId, 'engineFailed')]);
    await finish();
    const task = await detail(taskId);
    const after = await fetchMinutes();
    expect(after.reserved_minutes).toBe(before.reserved_minutes);
    if (task.status === taskStatus.transcribed) {
      expect(task.paragraphs).toHaveLength(1);
      expect(after.left_minutes).toBe(before.left_minutes - 1);
    } else {
      expect(task.paragraphs).toHaveLength(0);
      expect(after.left_minutes).toBe(before.left_minutes);
    }
  });

  it('ends without charge or transcript if its audio exceeds the balance', async () => {
    const taskId = await newTask();
    const storing = outcomes.succeed(taskId, { ...transcript, seconds: 60 * 60 });
    await expect(storing).rejects.toMatchObject({ reason: 'notEnoughMinutes' });
    expect(await detail(taskId)).toMatchObject({ status: taskStatus.queued, paragraphs: [] });
  });

  it('increments the revisions of its account and its recording', async () => {
    const taskId = await newTask();
    const readRevision = async () => {
      const { radio_file_id: id } = await detail(taskId);
      const { data } = await server.call('task/index', { ids: [id] }, { token: account.access });
      return data.list[0]?.rev ?? 0;
    };
    const before = await readRevision();
    await outcomes.succeed(taskId, transcript);
    expect(await readRevision()).toBeGreaterThan(before);
  });

  it('fails without charge if its job uses up its retries', async () => {
    const otherServer = await startTestServer();
    const owner = await otherServer.register();
    const { id } = await uploadRecording(otherServer, owner, toneWave(3), { ext: 'wav' });
    const token = { token: owner.access };
    const { data } = await otherServer.call('task/create', { id, language: 'en' }, token);
    // Simulates a worker that was killed repeatedly.
    await sql`update pgboss.job set retry_limit = 0 where name = 'transcribe'`.execute(
      otherServer.db,
    );
    const queue = await openQueue(otherServer.databaseUrl, 'worker', log);
    await queue.work({
      ...idleHandlers(),
      transcribe: async () => {
        throw new Error('simulated');
      },
      'transcribe.given-up': abandonTaskJob(createTranscriptionDependencies(otherServer)),
    });
    await vi.waitUntil(
      async () => (await otherServer.call('task/detail', { id: data.id }, token)).data.status === 3,
      { timeout: 60_000 },
    );
    const { data: balance } = await otherServer.call('user/leftMinute', {}, token);
    expect(balance).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    const [deadJob] = await queue.list(['dead']);
    expect(deadJob).toMatchObject({
      name: 'transcribe',
      payload: { taskId: data.id },
      reason: 'simulated',
    });
    await queue.stop();
    await otherServer.close();
  });
});
