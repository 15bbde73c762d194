import type { ChildProcess } from 'node:child_process';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idleHandlers } from '../../test/jobs.ts';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import type { Phone } from '../../test/sync.ts';
import { createPhone } from '../../test/sync.ts';
import type { TranscribedRecording } from '../../test/transcripts.ts';
import { emptyDocument, transcribe, transcribedRecording } from '../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { startWorker, stopWorker, waitForTask } from '../../test/worker.ts';
import type { Summaries } from '../modules/task/summary.ts';
import { createSummaries } from '../modules/task/summary.ts';
import { createBuiltinAnalyzer } from '../providers/analysis/builtin/index.ts';
import type { AnalyzeRequest, TranscriptAnalyzer } from '../providers/analysis/port.ts';
import { AnalysisFailure } from '../providers/analysis/port.ts';
import { JobPostponed } from './jobs.ts';
import { openQueue } from './queue.ts';
import { abandonSummaryJob, summarizeJob } from './summarize.ts';

const log = pino({ level: 'silent' });
const neverAborted = new AbortController().signal;
let server: TestServer;
let owner: Account;
let phone: Phone;
let ownRecording: TranscribedRecording;
let summaries: Summaries;
beforeAll(async () => {
  server = await startTestServer();
  summaries = createSummaries(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
  ownRecording = await transcribedRecording(server, owner);
});

const token = () => ({ token: owner.access });
const summarize = (id: string) => server.call('task/summarize', { id }, token());
const detail = async () =>
  (await server.call('task/detail', { id: ownRecording.taskId }, token())).data;
const builtin = createBuiltinAnalyzer();
const job = (analyzer: TranscriptAnalyzer) =>
  summarizeJob({ db: server.db, analyzer, summaries, isFree: false, log, now: server.now })(
    { taskId: ownRecording.taskId },
    neverAborted,
  );
/** Creates a scripted analyzer, because the built-in analyzer never fails. */
const analyzer = (analyze: TranscriptAnalyzer['analyze']): TranscriptAnalyzer => ({
  id: 'scripted',
  kind: 'generative',
  structures: ['general'],
  translates: false,
  analyze,
});
const edit = (index: number, content: string) =>
  phone.applyOne({
    type: 'paragraph.edit',
    recording: ownRecording.clientFlag,
    paragraph: ownRecording.paragraphs[index],
    content,
    base_rev: 1_000_000,
  });

describe('regenerated summary', () => {
  it('uses the current text, is free and is synced to phones', async () => {
    const minutes = async () => (await server.call('user/leftMinute', {}, token())).data;
    const before = await minutes();
    await edit(0, 'We have to water the orchids tomorrow.');
    await edit(1, 'The orchids stand in the greenhouse.');
    expect(await summarize(ownRecording.id)).toMatchObject({
      code: codes.ok,
      data: { id: ownRecording.taskId, summarizing: { status: taskStatus.queued } },
    });
    expect(await detail()).toMatchObject({
      summarizing: { status: taskStatus.queued, error: null },
      summary: 'A heron waits.',
    });
    const { cursor } = await phone.changes();
    await job(builtin);
    const task = await detail();
    expect(task).toMatchObject({
      status: taskStatus.transcribed,
      summarizing: { status: taskStatus.transcribed, error: null },
    });
    expect(`${task.summary} ${task.title} ${task.keywords}`).toMatch(/orchids/i);
    expect(task.summary).not.toContain('heron');
    expect(await minutes()).toEqual(before);
    const { changes } = await phone.changes({ cursor });
    expect(changes).toMatchObject([
      { kind: 'recording', recording: { ai_title: task.title, keywords: task.keywords } },
      { kind: 'task', task: { id: ownRecording.taskId, summary: task.summary } },
    ]);
    expect((await server.call('task/search', { keyword: 'orchids' }, token())).data.total).toBe(1);
  });

  it.each([
    ['2026-03-02T00:30:00+09:00', '2026-03-03'],
    ['2026-03-02T23:30:00-10:00', '2026-03-03'],
    ['2026-03-01T15:30:00Z', '2026-03-02'],
  ])(
    'resolves dates in the recording’s time zone: tomorrow at %s is %s',
    async (recordedAt, due) => {
      ownRecording = await transcribedRecording(server, owner, { recordedAt });
      await edit(0, 'We have to call Eta tomorrow.');
      await summarize(ownRecording.taskId);
      await job(builtin);
      expect((await detail()).summary_json).toMatchObject({ todos: [{ due }] });
    },
  );

  it('preserves ticked items', async () => {
    await edit(0, 'We have to call Eta tomorrow. We have to water the orchids.');
    await summarize(ownRecording.taskId);
    await job(builtin);
    type Todos = { todos: { id: string; text: string }[] };
    const todos = async () => ((await detail()).summary_json as Todos).todos;
    const orchids = (await todos()).find(({ text }) => text.includes('orchids'));
    expect(orchids).toBeDefined();
    const item = orchids?.id ?? '';
    await phone.applyOne({
      type: 'recording.tick',
      recording: ownRecording.clientFlag,
      item,
      done: true,
    });
    await edit(0, 'We have to water the orchids.');
    await edit(1, 'We have to call Ada tomorrow.');
    await summarize(ownRecording.taskId);
    await job(builtin);
    const { ticks } = await phone.recording(ownRecording.clientFlag);
    const ticked = (await todos()).filter(({ id }) => ticks[id]);
    expect(ticked.map(({ text }) => text)).toEqual(['We have to water the orchids.']);
    expect(await todos()).toHaveLength(2);
  });

  it('is queued once for repeated requests', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => summarize(ownRecording.id)),
    );
    for (const { data } of responses) expect(data).toEqual(responses[0]?.data);
    const jobs = (await server.queue.list(['waiting'])).filter(
      ({ name, payload }) =>
        name === 'summarize' && (payload as { taskId: string }).taskId === ownRecording.taskId,
    );
    expect(jobs).toHaveLength(1);
    await job(builtin);
    expect((await detail()).summarizing?.status).toBe(taskStatus.transcribed);
    expect((await summarize(ownRecording.id)).data.summarizing.status).toBe(taskStatus.queued);
  });

  it('includes an edit made while a previous summary was in progress', async () => {
    await summarize(ownRecording.id);
    await job(
      analyzer(async (request) => {
        const sameRequest = await summarize(ownRecording.id);
        expect(sameRequest.data.summarizing.status).toBe(taskStatus.working);
        await edit(0, 'We have to water the orchids tomorrow.');
        const newRequest = await summarize(ownRecording.id);
        expect(newRequest.data.summarizing.status).toBe(taskStatus.queued);
        return builtin.analyze(request);
      }),
    );
    // The result from before the edit is discarded. The job queued after the edit replaces it.
    expect(await detail()).toMatchObject({
      summary: 'A heron waits.',
      summarizing: { status: taskStatus.queued },
    });
    await job(builtin);
    const { summary, summarizing } = await detail();
    expect(summarizing?.status).toBe(taskStatus.transcribed);
    expect(summary).toContain('orchids');
  });

  it('is stored without unstorable characters', async () => {
    await summarize(ownRecording.id);
    await job(
      analyzer(async (request) => {
        const analysis = await builtin.analyze(request);
        return { ...analysis, brief: `It${String.fromCharCode(0)} waits.` };
      }),
    );
    expect(await detail()).toMatchObject({
      brief: 'It waits.',
      summarizing: { status: taskStatus.transcribed },
    });
  });

  it('takes notes into account, which don’t change an existing summary', async () => {
    const { summary, summarizing } = await detail();
    const value = { id: 'n', time: 1.5, text: 'Orchids?' };
    const recording = ownRecording.clientFlag;
    await phone.applyOne({ type: 'recording.note', recording, note: 'n', value });
    expect(await detail()).toMatchObject({ summary, summarizing });
    await summarize(ownRecording.id);
    let received: AnalyzeRequest | undefined;
    await job(
      analyzer((request) => {
        received = request;
        return builtin.analyze(request);
      }),
    );
    expect(received?.notes).toEqual([value]);
  });

  it('is created with word timestamps only for unedited paragraphs', async () => {
    await edit(0, 'Changed.');
    await summarize(ownRecording.id);
    let received: AnalyzeRequest | undefined;
    await job(
      analyzer((request) => {
        received = request;
        return builtin.analyze(request);
      }),
    );
    expect(received?.paragraphs).toMatchObject([{ text: 'Changed.' }, { words: [] }]);
    expect(received?.paragraphs[0]).not.toHaveProperty('words');
  });

  it('has the requested structure and language, with speaker names and the recording time', async () => {
    await server.db
      .updateTable('paragraphs')
      .set({ speaker: '1' })
      .where('id', '=', ownRecording.paragraphs[0] ?? '')
      .execute();
    const { recorded_at: recordedAt } = await server.db
      .updateTable('recordings')
      .set({ speakers: JSON.stringify({ 1: 'Ada' }), recorded_at: new Date('2026-03-02T09:00Z') })
      .where('id', '=', ownRecording.id)
      .returning('recorded_at')
      .executeTakeFirstOrThrow();
    await server.call('task/summarize', { id: ownRecording.id, structure: 'meeting' }, token());
    await server.db
      .updateTable('tasks')
      .set({ summary_request: JSON.stringify({ structure: 'meeting', language: 'fr' }) })
      .where('id', '=', ownRecording.taskId)
      .execute();
    let received: AnalyzeRequest | undefined;
    await job(
      analyzer((request) => {
        received = request;
        return builtin.analyze(request);
      }),
    );
    expect(received).toMatchObject({
      language: 'en',
      summaryLanguage: 'fr',
      // A language model generates only the requested structure.
      structures: ['meeting', 'general'],
      recordedAt,
    });
    expect(received?.paragraphs[0]).toMatchObject({ speaker: 'Ada' });
    expect(received?.paragraphs[1]).not.toHaveProperty('speaker');
    expect((await detail()).summary_json?.structure).toBe('meeting');
  });

  it('retains all previous structures if they are free', async () => {
    await server.db
      .updateTable('accounts')
      .set({ vip_plan: null, vip_started_at: null, vip_expires_at: null })
      .where('id', '=', owner.id)
      .execute();
    const structures = { general: { sections: [] }, lecture: { sections: [] } };
    await server.db
      .updateTable('tasks')
      .set({ summary_json: JSON.stringify({ ...emptyDocument, structures }) })
      .where('id', '=', ownRecording.taskId)
      .execute();
    await summarize(ownRecording.id);
    let received: AnalyzeRequest | undefined;
    const capturingAnalyzer = analyzer((request) => {
      received = request;
      return builtin.analyze(request);
    });
    await job({
      ...capturingAnalyzer,
      kind: 'extractive',
      structures: ['general', 'lecture', 'meeting'],
    });
    expect(received?.structures).toEqual(['general', 'lecture']);
  });

  it('regenerates the mind map unless it was edited', async () => {
    const editedMindMap = [{ id: 'root', parentid: '', topic: 'Mine' }];
    await phone.applyOne({
      type: 'recording.mindMap',
      recording: ownRecording.clientFlag,
      mind_map: editedMindMap,
    });
    const before = (await detail()).xmind_json;
    await edit(0, 'We have to water the orchids tomorrow.');
    await summarize(ownRecording.id);
    await job(builtin);
    const task = await detail();
    expect(task.xmind_json).not.toEqual(before);
    expect(task.xmind_json?.[0]).toEqual({ id: 'root', parentid: '', topic: task.title });
    expect((await phone.recording(ownRecording.clientFlag)).mind_map).toEqual(editedMindMap);
  });

  it('preserves the title of a later transcript', async () => {
    await summarize(ownRecording.taskId);
    await transcribe(server, owner, ownRecording.id, ['Another.']);
    await edit(0, 'Orchids, orchids and orchids.');
    await job(builtin);
    expect(await phone.recording(ownRecording.clientFlag)).toMatchObject({ ai_title: 'A heron' });
    expect((await detail()).title).not.toBe('A heron');
  });

  it.each([
    ['quota-exhausted', 'summaryQuota'],
    ['access-refused', 'summaryMisconfigured'],
    ['answer-unusable', 'summaryFailed'],
  ] as const)('preserves the existing summary on failure (%s)', async (code, failure) => {
    const quota = analyzer(async () => {
      throw new AnalysisFailure(code, 'simulated');
    });
    await summarize(ownRecording.id);
    await job(quota);
    expect(await detail()).toMatchObject({
      status: taskStatus.transcribed,
      summary: 'A heron waits.',
      summarizing: { status: taskStatus.failed, error: { code: codes[failure] } },
    });
    expect((await summarize(ownRecording.id)).data.summarizing.status).toBe(taskStatus.queued);
    expect((await detail()).summarizing?.error).toBeNull();
  });

  it('is postponed if the analyzer is unavailable', async () => {
    const unavailableAnalyzer = analyzer(async () => {
      throw new AnalysisFailure('service-unavailable', 'simulated');
    });
    await summarize(ownRecording.id);
    await expect(job(unavailableAnalyzer)).rejects.toThrow(
      new JobPostponed('service-unavailable: simulated'),
    );
    expect((await detail()).summarizing?.status).toBe(taskStatus.working);
    await job(builtin);
    expect((await detail()).summarizing?.status).toBe(taskStatus.transcribed);
  });

  it('is discarded if the recording is deleted while it is in progress', async () => {
    await summarize(ownRecording.id);
    const deletingAnalyzer = analyzer(async (request) => {
      await phone.applyOne({ type: 'recording.delete', recording: ownRecording.clientFlag });
      return builtin.analyze(request);
    });
    await job(deletingAnalyzer);
    await job(builtin);
    await summaries.fail(ownRecording.taskId, 'summaryFailed');
    expect((await phone.everything()).map(({ kind }) => kind)).toEqual(['tombstone']);
  });

  it('requires a transcript', async () => {
    const wave = toneWave(2.5, 8000);
    const { id } = await uploadRecording(server, owner, wave, { ext: 'wav' });
    expect(await summarize(id)).toMatchObject({ code: codes.notTranscribed, data: null });
    const { data } = await server.call('task/create', { id, language: 'en' }, token());
    expect(await summarize(data.id)).toMatchObject({ code: codes.notTranscribed });
    expect(await summarize('x')).toMatchObject({ code: codes.notFound });
    const otherRecording = await transcribedRecording(server, await server.register());
    expect(await summarize(otherRecording.id)).toMatchObject({ code: codes.notFound });
    expect(await summarize(otherRecording.taskId)).toMatchObject({ code: codes.notFound });
  });
});

describe('regenerated summary with workers', () => {
  let workerServer: TestServer;
  beforeAll(async () => {
    workerServer = await startTestServer();
  });
  afterAll(() => workerServer.close());
  const requestSummary = async () => {
    const account = await workerServer.register();
    const recording = await transcribedRecording(workerServer, account);
    const options = { token: account.access };
    await workerServer.call('task/summarize', { id: recording.id }, options);
    return { account, taskId: recording.taskId };
  };

  it('is completed by another worker after a kill', async () => {
    const { account, taskId } = await requestSummary();
    // Simulate a killed worker: the job is active but has no heartbeat.
    await sql`update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(),
      heartbeat_seconds = 1 where name = 'summarize'`.execute(workerServer.db);
    await createSummaries(workerServer).begin(taskId);
    let worker: ChildProcess | undefined;
    try {
      worker = await startWorker(workerServer);
      const summarized = await waitForTask(
        workerServer,
        account,
        taskId,
        ({ summarizing }) => summarizing?.status === taskStatus.transcribed,
      );
      expect(summarized.summary).not.toBe('');
    } finally {
      if (worker) await stopWorker(worker);
    }
  });

  it('fails without affecting the transcript if its job uses up its retries', async () => {
    const { account, taskId } = await requestSummary();
    await sql`update pgboss.job set retry_limit = 0 where name = 'summarize'`.execute(
      workerServer.db,
    );
    const queue = await openQueue(workerServer.databaseUrl, 'worker', log);
    await queue.work({
      ...idleHandlers(),
      summarize: async () => {
        throw new Error('simulated');
      },
      'summarize.given-up': abandonSummaryJob(createSummaries(workerServer)),
    });
    try {
      const task = await waitForTask(
        workerServer,
        account,
        taskId,
        ({ summarizing }) => summarizing?.status === taskStatus.failed,
      );
      expect(task).toMatchObject({
        status: taskStatus.transcribed,
        summarizing: { error: { code: codes.summaryFailed } },
      });
    } finally {
      await queue.stop();
    }
  });
});
