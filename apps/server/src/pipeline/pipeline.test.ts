import { access, readdir, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import { taskStatus, vocabularySetting } from '@linnet/contract/statuses';
import type { StructureId } from '@linnet/contract/structures';
import { structureIds } from '@linnet/contract/structures';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buy } from '../../test/orders.ts';
import type { Account, TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { createPhone } from '../../test/sync.ts';
import {
  createTranscriptionDependencies,
  recognizedText,
  scriptedEngines,
} from '../../test/transcription.ts';
import { toneWave, uploadRecording } from '../../test/uploads.ts';
import { summarizeJob } from '../jobs/summarize.ts';
import type { TranscribeDependencies } from '../jobs/transcribe.ts';
import { abandonTaskJob, transcribeJob } from '../jobs/transcribe.ts';
import { createSummaries } from '../modules/task/summary.ts';
import { createBuiltinAnalyzer } from '../providers/analysis/builtin/index.ts';
import type { AnalyzeRequest, TranscriptAnalyzer } from '../providers/analysis/index.ts';
import { AnalysisFailure } from '../providers/analysis/index.ts';
import type { SpeakerDiarizer, SpeakerTurn } from '../providers/speakers/port.ts';
import { SpeakerFailure } from '../providers/speakers/port.ts';
import type { TranscribeRequest } from '../providers/speech/port.ts';
import { SpeechFailure } from '../providers/speech/port.ts';
import type { VoiceDetector } from '../providers/voice/port.ts';
import { VoiceFailure } from '../providers/voice/port.ts';

const neverAborts = new AbortController().signal;
let server: TestServer;
let owner: Account;
beforeAll(async () => {
  // Without a trial, only a purchase makes the account a member.
  server = await startTestServer({ TRIAL_DAYS: '0' });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

const token = () => ({ token: owner.access });
const detail = async (id: string) => (await server.call('task/detail', { id }, token())).data;
const fetchMinutes = async () => (await server.call('user/leftMinute', {}, token())).data;
async function newTask(language = 'en'): Promise<{ id: string; recording: string; flag: string }> {
  const { id, client_flag } = await uploadRecording(server, owner, toneWave(5), { ext: 'wav' });
  const { data } = await server.call('task/create', { id, language: 'en' }, token());
  await server.db
    .updateTable('tasks')
    .set({ language: language as 'en' })
    .where('id', '=', data.id)
    .execute();
  return { id: data.id, recording: id, flag: client_flag };
}
const words = 'We have to water the orchids. Who has the key? Nobody knows.';
const engines = scriptedEngines(async () => recognizedText(words));
const run = (taskId: string, deps: Partial<TranscribeDependencies> = {}, signal = neverAborts) =>
  transcribeJob(createTranscriptionDependencies(server, { engines, ...deps }))({ taskId }, signal);
const scratchPath = (taskId: string) => path.join(server.config.DATA_DIR, 'scratch', taskId);
const fetchStoredSteps = async (taskId: string) => {
  const rows = await server.db
    .selectFrom('task_steps')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('finished_at')
    .execute();
  return Object.fromEntries(rows.map(({ step, finished_at }) => [step, finished_at.getTime()]));
};

/** Creates a scripted analyzer. */
function analyzer(
  analyze: TranscriptAnalyzer['analyze'],
  overrides: Partial<TranscriptAnalyzer> = {},
): TranscriptAnalyzer {
  const structures = structureIds;
  return {
    id: 'scripted',
    kind: 'generative',
    structures,
    translates: true,
    analyze,
    ...overrides,
  };
}
const builtin = createBuiltinAnalyzer();
const createFailingAnalyzer = (code: ConstructorParameters<typeof AnalysisFailure>[0]) =>
  analyzer(async () => {
    throw new AnalysisFailure(code, 'simulated');
  });
/** Creates a scripted diarizer. */
const diarizer = (diarize: () => Promise<readonly SpeakerTurn[]>): SpeakerDiarizer => ({
  id: 'scripted',
  isReady: async () => true,
  diarize,
  embed: async () => ({ model: 'scripted', embeddings: [] }),
});
const detector = (detect: VoiceDetector['detect']): VoiceDetector => ({ id: 'scripted', detect });

describe('progress', () => {
  it('reports the step, its completed fraction and the total', async () => {
    const { id } = await newTask();
    const running = run(id, {
      engines: scriptedEngines(async ({ onProgress }) => {
        onProgress?.(0.25);
        const { step, progress, status } = await vi.waitUntil(
          async () => {
            const task = await detail(id);
            return task.step?.done === 0.25 ? task : null;
          },
          { timeout: 60_000, interval: 50 },
        );
        expect(step).toEqual({ name: 'recognise', done: 0.25 });
        expect(status).toBe(taskStatus.working);
        // Steps worth 5 and 4 percent are complete, and a quarter of a step worth 74 percent.
        expect(progress).toBe(27);
        return recognizedText(words);
      }),
    });
    await running;
    expect(await detail(id)).toMatchObject({ step: null, progress: 100 });
  });
});

it("passes the user's vocabulary to the engine, and corrects words with low confidence", async () => {
  const setting = { group_name: vocabularySetting.group, config_key: 'Marchetti' };
  const { listed } = vocabularySetting.values;
  await server.call('user/updateConfig', { ...setting, config_value: listed }, token());
  const { id } = await newTask();
  const recognized = recognizedText('Please call marketti or marketti.');
  const words = recognized.words.map((word, index) =>
    index === 2 ? { ...word, confidence: 0.2 } : word,
  );
  let passed: TranscribeRequest['vocabulary'];
  await run(id, {
    engines: scriptedEngines(async ({ vocabulary }) => {
      passed = vocabulary;
      return { ...recognized, words };
    }),
  });
  expect(passed).toEqual(['Marchetti']);
  const { paragraphs } = await detail(id);
  expect(paragraphs).toMatchObject([{ content: 'Please call Marchetti or marketti.' }]);
});

describe('recording', () => {
  it('has the waveform of the decoded audio instead of the uploaded waveform', async () => {
    const { id, recording } = await newTask();
    const fetchPeaks = async () => {
      const { data } = await server.call('task/index', { ids: [recording] }, token());
      return data.list[0]?.peaks;
    };
    expect(await fetchPeaks()).toBe('');
    await run(id, { engines: scriptedEngines(async () => recognizedText(words)) });
    const peaks = Buffer.from((await fetchPeaks()) ?? '', 'base64');
    expect(peaks.length).toBeGreaterThan(100);
    expect(Math.max(...peaks)).toBeGreaterThan(0);
  });
});

describe('speech', () => {
  it('is recognized in detected segments', async () => {
    const { id } = await newTask();
    const stretches = [{ start: 0.5, end: 3 }];
    let received: TranscribeRequest | undefined;
    await run(id, {
      detector: detector(async () => stretches),
      engines: scriptedEngines(async (request) => {
        received = request;
        return recognizedText(words);
      }),
    });
    expect(received?.segments).toEqual(stretches);
    expect((await detail(id)).status).toBe(taskStatus.transcribed);
  });

  it('is recognized everywhere if detection fails', async () => {
    const { id } = await newTask();
    let received: TranscribeRequest | undefined;
    await run(id, {
      detector: detector(async () => {
        throw new VoiceFailure('model-corrupt', 'simulated');
      }),
      engines: scriptedEngines(async (request) => {
        received = request;
        return recognizedText(words);
      }),
    });
    expect(received).not.toHaveProperty('segments');
    expect((await detail(id)).status).toBe(taskStatus.transcribed);
  });

  it('has the detected language', async () => {
    const { id, recording } = await newTask('auto');
    await run(id, {
      engines: scriptedEngines(async () => recognizedText('Bonjour à tous.', 'fr-FR')),
    });
    expect(await detail(id)).toMatchObject({ language: 'fr', minutes: 1 });
    const history = await server.call('radio/translateHistory', {}, token());
    expect(history.data.list).toMatchObject([{ radio_file_id: recording, language: 'fr' }]);
  });

  it('is no longer recognized after the recording is deleted', async () => {
    const { id, flag } = await newTask();
    await run(id, {
      engines: scriptedEngines(async ({ signal, onProgress }) => {
        await createPhone(server, owner).applyOne({ type: 'recording.delete', recording: flag });
        onProgress?.(0.5);
        await vi.waitUntil(() => signal?.aborted, { timeout: 60_000, interval: 20 });
        throw new SpeechFailure('aborted', 'by the caller');
      }),
    });
    expect(await fetchMinutes()).toMatchObject({ left_minutes: 30, reserved_minutes: 0 });
    await expect(access(scratchPath(id))).rejects.toThrow('ENOENT');
  });
});

describe('speakers', () => {
  const turns = [
    { start: 0, end: 3, speaker: 1 },
    { start: 3, end: 5, speaker: 0 },
  ];

  it('are assigned to paragraphs and retain their names after another transcription', async () => {
    const { id, recording, flag } = await newTask();
    await run(id, { diarizer: diarizer(async () => turns) });
    const loadSpeakers = async (task: string) =>
      (await detail(task)).paragraphs.map(({ speaker, content }) => [speaker, content]);
    const expected = [
      ['1', 'We have to water the orchids.'],
      ['2', 'Who has the key? Nobody knows.'],
    ];
    expect(await loadSpeakers(id)).toEqual(expected);

    const phone = createPhone(server, owner);
    await phone.applyOne({ type: 'recording.speaker', recording: flag, speaker: '1', name: 'Ada' });
    const note = { id: 'n', time: 0, text: 'Orchids?' };
    await phone.applyOne({ type: 'recording.note', recording: flag, note: 'n', value: note });
    const retryRequest = { id: recording, language: 'en', again: id };
    const { data: second } = await server.call('task/create', retryRequest, token());
    let received: AnalyzeRequest | undefined;
    await run(second.id, {
      diarizer: diarizer(async () => turns),
      analyzer: analyzer((request) => {
        received = request;
        return builtin.analyze(request);
      }),
    });
    expect(await loadSpeakers(second.id)).toEqual(expected);
    expect(received?.paragraphs.map(({ speaker }) => speaker)).toEqual(['Ada', 'Speaker 2']);
    expect(received?.notes).toEqual([note]);
    expect((await phone.recording(flag)).speakers).toEqual({ 1: 'Ada' });
  });

  it('are omitted if diarization fails', async () => {
    const { id } = await newTask();
    const failingDiarizer = diarizer(async () => {
      throw new SpeakerFailure('engine-crashed', 'simulated');
    });
    await run(id, { diarizer: failingDiarizer });
    const { status, paragraphs } = await detail(id);
    expect(status).toBe(taskStatus.transcribed);
    for (const paragraph of paragraphs) expect(paragraph).not.toHaveProperty('speaker');
  });
});

describe('failed summary', () => {
  const withoutSummary = {
    status: taskStatus.transcribed,
    error: null,
    minutes: 1,
    title: '',
    summary: '',
    summary_json: null,
    xmind_json: null,
    keywords: [],
    summarizing: { status: taskStatus.failed, error: { code: codes.summaryFailed } },
  };

  it.each([
    ['quota-exhausted', 'summaryQuota'],
    ['access-refused', 'summaryMisconfigured'],
    ['answer-unusable', 'summaryFailed'],
    ['engine-missing', 'summaryMisconfigured'],
    ['engine-failed', 'summaryFailed'],
  ] as const)(
    'leaves a charged transcript with a built-in summary, and its reason (%s)',
    async (code, failure) => {
      const { id, recording } = await newTask();
      await run(id, { analyzer: createFailingAnalyzer(code) });
      const task = await detail(id);
      expect(task).toMatchObject({
        status: taskStatus.transcribed,
        error: null,
        minutes: 1,
        summary_json: { engine: 'builtin', kind: 'extractive' },
        summarizing: { status: taskStatus.failed, error: { code: codes[failure] } },
      });
      for (const text of [task.title, task.brief, task.summary]) expect(text).not.toBe('');
      expect(task.xmind_json?.length).toBeGreaterThan(1);
      expect(task.paragraphs.map(({ content }) => content).join(' ')).toBe(words);
      expect(await fetchMinutes()).toMatchObject({ left_minutes: 29, reserved_minutes: 0 });
      const { data: index } = await server.call('task/index', { ids: [recording] }, token());
      expect(index.list[0]?.ai_title).toBe(task.title);
      const { data } = await server.call('task/summarize', { id }, token());
      expect(data.summarizing.status).toBe(taskStatus.queued);
    },
  );

  it('preserves the name, brief and keywords of an earlier transcript', async () => {
    const { id, recording } = await newTask();
    await run(id);
    const fetchIndexedFields = async () => {
      const { data } = await server.call('task/index', { ids: [recording] }, token());
      const [row] = data.list;
      return { ai_title: row?.ai_title, brief: row?.brief, keywords: row?.keywords };
    };
    const before = await fetchIndexedFields();
    expect(before.ai_title).not.toBe('');
    const { data: retryRequest } = await server.call(
      'task/create',
      { id: recording, language: 'en', again: id },
      token(),
    );
    await run(retryRequest.id, {
      analyzer: createFailingAnalyzer('quota-exhausted'),
      engines: scriptedEngines(async () => recognizedText('The cranes have left the river.')),
    });
    expect((await detail(retryRequest.id)).status).toBe(taskStatus.transcribed);
    expect(await fetchIndexedFields()).toEqual(before);
  });

  it('is requested by a separate job if the analyzer is unavailable', async () => {
    const { id, recording } = await newTask();
    await run(id, { analyzer: createFailingAnalyzer('service-unavailable') });
    expect(await detail(id)).toMatchObject({
      status: taskStatus.transcribed,
      summary_json: { engine: 'builtin' },
      summarizing: { status: taskStatus.queued, error: null },
    });
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from start_after - created_on)::int as seconds from pgboss.job
      where name = 'summarize' and data->>'taskId' = ${id}`.execute(server.db);
    expect(rows).toEqual([{ seconds: expect.closeTo(60, -1) }]);
    const summaries = createSummaries(server);
    const { db, now } = server;
    const log = pino({ level: 'silent' });
    const available = analyzer(async (request) => ({
      ...(await builtin.analyze(request)),
      title: 'By a model',
    }));
    const job = summarizeJob({ db, analyzer: available, summaries, isFree: false, log, now });
    await job({ taskId: id }, neverAborts);
    expect(await detail(id)).toMatchObject({
      title: 'By a model',
      summarizing: { status: taskStatus.transcribed },
    });
    const { data } = await server.call('task/index', { ids: [recording] }, token());
    expect(data.list[0]?.ai_title).toBe('By a model');
  });

  it('doesn’t keep the transcript waiting if the analyzer is deferred', async () => {
    const { id } = await newTask();
    await run(id, { analyzer: { ...createFailingAnalyzer('engine-missing'), isDeferred: true } });
    expect(await detail(id)).toMatchObject({
      status: taskStatus.transcribed,
      summary_json: { engine: 'builtin' },
      summarizing: { status: taskStatus.queued, error: null },
    });
  });

  it('does not affect the transcript if it crashes every worker', async () => {
    const { id } = await newTask();
    const failingAnalyzer = analyzer(async () => {
      throw new TypeError('simulated');
    });
    await expect(run(id, { analyzer: failingAnalyzer })).rejects.toThrow('simulated');
    await abandonTaskJob(
      createTranscriptionDependencies(server, { engines, analyzer: failingAnalyzer }),
    )({ taskId: id }, neverAborts);
    expect(await detail(id)).toMatchObject(withoutSummary);
  });
});

describe('first summary', () => {
  const requestedStructures = async (
    kind: TranscriptAnalyzer['kind'],
    structures = structureIds,
  ) => {
    const { id } = await newTask();
    const requested: (readonly StructureId[])[] = [];
    const capture = (request: AnalyzeRequest) => {
      requested.push(request.structures);
      return builtin.analyze(request);
    };
    await run(id, { analyzer: analyzer(capture, { kind, structures }) });
    return requested[0];
  };

  it('has all free structures for members, and the general structure for other users', async () => {
    expect(await requestedStructures('extractive')).toEqual(['general']);
    await buy(server, owner, 'vip_monthly');
    expect(await requestedStructures('extractive')).toEqual(
      structureIds.filter((id) => id !== 'custom'),
    );
    expect(await requestedStructures('generative')).toEqual(['general']);
  });

  it('includes a mind map', async () => {
    const { id } = await newTask();
    await run(id);
    const { xmind_json: nodes, title } = await detail(id);
    expect(nodes?.[0]).toEqual({ id: 'root', parentid: '', topic: title });
    expect(nodes?.length).toBeGreaterThan(1);
  });
});

describe('task resumed by another worker', () => {
  const stopDuringRecognition = async (id: string) => {
    const stopping = new AbortController();
    const stoppingEngines = scriptedEngines(async () => {
      stopping.abort();
      throw new SpeechFailure('aborted', 'by the caller');
    });
    await expect(run(id, { engines: stoppingEngines }, stopping.signal)).rejects.toThrow('aborted');
    return fetchStoredSteps(id);
  };
  const finish = async (id: string) => {
    let during: Record<string, number> = {};
    await run(id, {
      engines: scriptedEngines(async () => {
        during = await fetchStoredSteps(id);
        return recognizedText(words);
      }),
    });
    expect((await detail(id)).status).toBe(taskStatus.transcribed);
    return during;
  };

  it('reuses the decoded audio', async () => {
    const { id } = await newTask();
    const before = await stopDuringRecognition(id);
    const file = path.join(scratchPath(id), 'audio.wav');
    const { ino } = await stat(file);
    let isSameFile = false;
    await run(id, {
      engines: scriptedEngines(async ({ audio }) => {
        isSameFile = audio.kind === 'wav' && (await stat(audio.path)).ino === ino;
        expect(await fetchStoredSteps(id)).toEqual(before);
        return recognizedText(words);
      }),
    });
    expect(isSameFile).toBe(true);
    expect(await readdir(path.join(server.config.DATA_DIR, 'scratch'))).toEqual([]);
  });

  it.each<[string, (folder: string) => Promise<void>]>([
    ['missing', (folder) => rm(folder, { recursive: true })],
    ['truncated', (folder) => truncate(path.join(folder, 'audio.wav'), 20_000)],
    ['not audio', (folder) => truncate(path.join(folder, 'audio.wav'), 10)],
  ])('decodes the audio again if it is %s', async (_how, damage) => {
    const { id } = await newTask();
    const before = await stopDuringRecognition(id);
    await damage(scratchPath(id));
    const during = await finish(id);
    expect(during.decode).toBeGreaterThan(before.decode ?? 0);
    expect(during.detect).toBe(before.detect);
  });

  it('does not decode audio again that no remaining step needs', async () => {
    const { id } = await newTask();
    await expect(run(id, { analyzer: createFailingAnalyzer('aborted') })).rejects.toThrow();
    const before = await fetchStoredSteps(id);
    await rm(scratchPath(id), { recursive: true });
    let during: Record<string, number> = {};
    const capturingAnalyzer = analyzer(async (request) => {
      during = await fetchStoredSteps(id);
      return builtin.analyze(request);
    });
    await run(id, { analyzer: capturingAnalyzer });
    expect(during).toEqual(before);
    expect((await detail(id)).status).toBe(taskStatus.transcribed);
  });

  it('has only one worker’s transcript if a worker presumed dead continues', async () => {
    const { id } = await newTask();
    // Both workers recognize the speech. The second worker finishes first.
    await run(id, {
      engines: scriptedEngines(async () => {
        await expect(run(id, { analyzer: createFailingAnalyzer('aborted') })).rejects.toThrow();
        return recognizedText('Cranes are flying over the river. We have to count the cranes.');
      }),
    });
    const { paragraphs, summary, engine } = await detail(id);
    expect(engine).toBe('scripted/one');
    expect(paragraphs.map(({ content }) => content).join(' ')).toBe(words);
    expect(summary).not.toMatch(/cranes/i);
  });
});

describe('unstorable text', () => {
  const nul = String.fromCharCode(0);
  const loneSurrogate = '\u{1F426}'.slice(0, 1);

  it('from an engine or model is stored without its invalid characters', async () => {
    const { id } = await newTask();
    let listened = 0;
    await run(id, {
      engines: scriptedEngines(async () => {
        listened += 1;
        return recognizedText(`We have to wa${nul}ter the orchids${loneSurrogate}.`);
      }),
      analyzer: analyzer(async (request) => {
        const analysis = await builtin.analyze(request);
        return { ...analysis, title: `A${nul} bird${loneSurrogate}`, keywords: [`or${nul}chids`] };
      }),
    });
    expect(listened).toBe(1);
    expect(await detail(id)).toMatchObject({
      status: taskStatus.transcribed,
      title: 'A bird\u{FFFD}',
      keywords: ['orchids'],
      paragraphs: [{ content: 'We have to water the orchids\u{FFFD}.' }],
    });
  });
});

describe('a second transcription', () => {
  it('preserves ticks only for equal items', async () => {
    const { id, recording, flag } = await newTask();
    const todos = async (task: string) => (await detail(task)).summary_json?.todos ?? [];
    await run(id, {
      engines: scriptedEngines(async () =>
        recognizedText('We have to water the orchids. We have to call Miriam.'),
      ),
    });
    const tickedIds = (await todos(id)).map(({ id }) => id);
    expect(tickedIds).toHaveLength(2);
    const phone = createPhone(server, owner);
    for (const item of tickedIds) {
      await phone.applyOne({ type: 'recording.tick', recording: flag, item, done: true });
    }
    const retryRequest = { id: recording, language: 'en', again: id };
    const { data: second } = await server.call('task/create', retryRequest, token());
    await run(second.id, {
      engines: scriptedEngines(async () =>
        recognizedText('We have to count the cranes. We have to water the orchids.'),
      ),
    });
    const { ticks } = await phone.recording(flag);
    const ticked = (await todos(second.id)).filter(({ id }) => ticks[id]);
    expect(await todos(second.id)).toHaveLength(2);
    expect(ticked.map(({ text }) => text)).toEqual(['We have to water the orchids.']);
    const nodes = (await detail(second.id)).xmind_json ?? [];
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
  });
});
