import { readFile } from 'node:fs/promises';
import type { CallInput, Task } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerWithRecording } from '../../../test/owner-with-recording.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createTranscriptionDependencies, scriptedEngines } from '../../../test/transcription.ts';
import { emptyDocument } from '../../../test/transcripts.ts';
import { summarizeJob } from '../../jobs/summarize.ts';
import { transcribeJob } from '../../jobs/transcribe.ts';
import { selectAnalyzer } from '../../providers/analysis/index.ts';
import type { TranscriptAnalyzer } from '../../providers/analysis/port.ts';
import type { SpeechRecognizer } from '../../providers/speech/port.ts';
import { createSummaries } from './summary.ts';

const neverAborted = new AbortController().signal;
let server: TestServer;
let owner: Account;
let phone: Phone;
let recording: string;
let id: string;
/** The task with the transcript, and the IDs of its three paragraphs, at 5, 30 and 60 seconds. */
let transcript: string;
let paragraphs: string[];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ owner, phone, recording, id } = await registerWithRecording(server, 130, 4000));
  const { data } = await call('task/create', { id, language: 'en' });
  transcript = data.id;
  await run(transcript, async () =>
    createRecognition('en', [5, opening], [30, 'We met mister mayer there.'], [60, close]),
  );
  paragraphs = (await detail(transcript)).paragraphs.map((item) => item.id);
});

const opening = 'The harbor opens at night.';
const close = 'He paid in gold.';
const token = () => ({ token: owner.access });
const call: TestServer['call'] = (name, body) => server.call(name, body, token());
const detail = async (task: string) => (await call('task/detail', { id: task })).data;
const balance = async () => (await call('user/leftMinute', {})).data;
const listedTask = async () => (await call('task/index', { ids: [id] })).data.list[0]?.task;

/** Returns a recognition result with texts at the given seconds. Each word takes one second. */
function createRecognition(language: string, ...texts: readonly (readonly [number, string])[]) {
  const words = texts.flatMap(([start, text]) =>
    text.split(' ').map((word, index) => {
      return { text: word, start: start + index, end: start + index + 1, confidence: 1 };
    }),
  );
  return { words, language, engine: 'scripted/two', punctuated: true };
}

function run(taskId: string, transcribe: SpeechRecognizer['transcribe']): Promise<void> {
  const engines = scriptedEngines(transcribe);
  return transcribeJob(createTranscriptionDependencies(server, { engines }))(
    { taskId },
    neverAborted,
  );
}

/** Requests a summary. */
const summarize = (body: CallInput<'task/summarize'>) => call('task/summarize', body);
const summaryParts = () => {
  const { db, queue, config, now } = server;
  const summaries = createSummaries({ db, queue, now });
  const log = pino({ level: 'silent' });
  return { db, analyzer: selectAnalyzer(config), summaries, isFree: false, log, now };
};
const makeSummary = (taskId: string) => summarizeJob(summaryParts())({ taskId }, neverAborted);
const pickSummary = ({ title, brief, summary, summary_json, keywords, xmind_json }: Task) => {
  return { title, brief, summary, summary_json, keywords, xmind_json };
};
/** Returns the recording's title and description, which come from its summary. */
const description = async () => {
  const { ai_title, brief, keywords } = await phone.recording(recording);
  return { ai_title, brief, keywords };
};

const request = (from = 1, to = from, language = 'en') =>
  call('task/create', {
    id,
    language,
    again: transcript,
    range: { from: paragraphs[from] ?? '', to: paragraphs[to] ?? '' },
  });

/** Writes a point about each paragraph, as a language model would. */
const writePoints: TranscriptAnalyzer['analyze'] = async ({ paragraphs: spoken }) => {
  const items = spoken.map(({ id: paragraph_id, start: start_time, speaker }, index) => {
    return { id: `general-${index}`, text: `${speaker} speaks.`, paragraph_id, start_time };
  });
  return {
    title: 'Talk',
    brief: '',
    summary: items.map(({ text }) => text).join('\n'),
    keywords: [],
    engine: 'scripted',
    document: {
      ...emptyDocument,
      kind: 'generative',
      structures: { general: { sections: [{ heading: 'overview', items }] } },
    },
  };
};

describe('transcribing a range again', () => {
  it('replaces its paragraphs, keeps the others with their edits, and charges for its minutes', async () => {
    const [a, b, c] = paragraphs;
    await phone.applyOne({
      type: 'paragraph.edit',
      recording,
      paragraph: a,
      content: 'It opens at nine.',
    });
    await phone.applyOne({
      type: 'paragraph.edit',
      recording,
      paragraph: b,
      content: 'We met mister Meier there.',
    });
    await phone.applyOne({ type: 'paragraph.mark', recording, paragraph: c, is_tag: 1 });
    await phone.applyOne({ type: 'paragraph.speaker', recording, paragraph: b, speaker: '2' });
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '2', name: 'Ben' });
    await phone.applyOne({ type: 'paragraph.speaker', recording, paragraph: a, speaker: '1' });
    const { rev } = await phone.recording(recording);
    const minutesBefore = (await balance()).left_minutes;
    const { data: task } = await request();
    expect(await balance()).toMatchObject({ left_minutes: minutesBefore - 1, reserved_minutes: 1 });
    expect(await listedTask()).toMatchObject({
      id: task.id,
      range: { transcript, start: 29, end: 36 },
    });
    // A repeated request returns the same task.
    expect((await request()).data.id).toBe(task.id);
    let seconds = 0;
    await run(task.id, async ({ audio }) => {
      const bytes = audio.kind === 'wav' ? await readFile(audio.path) : Buffer.alloc(0);
      seconds = (bytes.length - 44) / 2 / 16_000;
      return createRecognition('en', [1, 'We met mister mire there.']);
    });
    expect(seconds).toBe(7);
    const result = await detail(id);
    expect(result).toMatchObject({
      id: task.id,
      minutes: 1,
      language: 'en',
      engine: 'scripted/two',
    });
    expect(result.paragraphs.map(({ content, start_time }) => [start_time, content])).toEqual([
      [5, 'It opens at nine.'],
      [30, 'We met mister Meier there.'],
      [60, close],
    ]);
    const [first, second, third] = result.paragraphs;
    expect([first?.id, third?.id, third?.is_tag]).toEqual([a, c, 1]);
    expect(second?.id).not.toBe(b);
    expect(second?.speaker).toBe('2');
    expect(await phone.recording(recording)).toMatchObject({
      speakers: { 2: 'Ben' },
      unplaced: [],
    });
    expect((await call('task/index', { ids: [id] })).data.list[0]?.total_time).toBe(130);
    expect(await balance()).toMatchObject({ left_minutes: minutesBefore - 1, reserved_minutes: 0 });
    const history = await call('radio/translateHistory', {});
    expect(history.data.list[0]).toMatchObject({ id: task.id, total_time: 7, minutes: 1 });
    // A retry after completion returns the completed task.
    expect((await request()).data.id).toBe(task.id);
    // A phone that hadn't received the new transcript edits the replaced paragraph.
    await phone.applyOne({
      type: 'paragraph.edit',
      recording,
      paragraph: b,
      content: 'We met Meier there.',
    });
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '2', name: 'Benno' });
    const lateOperation = { type: 'recording.speaker', recording, base_rev: rev };
    await phone.applyOne({ ...lateOperation, speaker: '1', name: 'Ann' });
    expect((await detail(id)).paragraphs[1]?.content).toBe('We met Meier there.');
    expect((await phone.recording(recording)).speakers).toEqual({ 1: 'Ann', 2: 'Benno' });
  });

  it('sends phones all paragraphs under the new task', async () => {
    const { data: task } = await request(1, 2);
    await run(task.id, async () =>
      createRecognition('en', [1, 'One.'], [9, 'Two.'], [14, 'Three.']),
    );
    const { data } = await call('sync/changes', {});
    const sent = data.changes.flatMap((change) =>
      change.kind === 'paragraph' && change.task_id === task.id
        ? [[change.ordinal, change.paragraph.content]]
        : [],
    );
    expect(sent).toEqual([
      [0, opening],
      [1, 'One.'],
      [2, 'Two.'],
      [3, 'Three.'],
    ]);
  });

  it('in a different language, lists the edits in the range as unplaced', async () => {
    const edit = { type: 'paragraph.edit', recording, paragraph: paragraphs[1] };
    await phone.applyOne({ ...edit, content: 'We met mister Meier there.' });
    const { data: task } = await request();
    await run(task.id, async () => createRecognition('fr', [1, 'On a vu monsieur Meyer.']));
    const result = await detail(id);
    expect(result.language).toBe('en');
    expect(result.paragraphs.map(({ content }) => content)).toEqual([
      opening,
      'On a vu monsieur Meyer.',
      close,
    ]);
    const { unplaced } = await phone.recording(recording);
    expect(unplaced).toMatchObject([
      { kind: 'edit', text: 'We met mister Meier there.', time: 30 },
    ]);
  });

  it('leaves the transcript unchanged when it fails or is canceled', async () => {
    const minutesBefore = (await balance()).left_minutes;
    const { data: failed } = await request();
    await run(failed.id, async () => createRecognition('en'));
    expect(await listedTask()).toMatchObject({
      id: failed.id,
      status: taskStatus.failed,
      range: { transcript },
      error: { code: codes.noSpeech },
    });
    const { data: canceled } = await request();
    expect(canceled.id).not.toBe(failed.id);
    await call('task/cancel', { id: canceled.id });
    expect(await balance()).toMatchObject({ left_minutes: minutesBefore, reserved_minutes: 0 });
    // The recording's task is still the transcript's task. Naming the failed attempt doesn't repeat the transcription.
    expect((await detail(id)).paragraphs.map((item) => item.id)).toEqual(paragraphs);
    const { data } = await call('task/create', { id, language: 'en', again: failed.id });
    expect(data.id).toBe(transcript);
  });

  it('keeps the summary, whose items refer to the new paragraphs', async () => {
    expect((await summarize({ id, structure: 'meeting' })).code).toBe(codes.ok);
    await makeSummary(transcript);
    const generated = pickSummary(await detail(id));
    expect(generated.summary_json).toMatchObject({ structure: 'meeting' });
    expect(JSON.stringify(generated.summary_json)).toContain(paragraphs[1]);
    const before = await description();
    const { data: task } = await request();
    await run(task.id, async () =>
      createRecognition('en', [1, 'We met.'], [4, 'Nobody was there.']),
    );
    const result = await detail(id);
    const [, first] = result.paragraphs;
    expect(result).toMatchObject({ id: task.id, summarizing: { status: taskStatus.transcribed } });
    const movedSummary = JSON.stringify(generated).replaceAll(paragraphs[1] ?? '', first?.id ?? '');
    expect(pickSummary(result)).toEqual(JSON.parse(movedSummary));
    expect(await description()).toEqual(before);
    // The structure becomes the default for the next request.
    await summarize({ id });
    const row = server.db.selectFrom('tasks').select('summary_request').where('id', '=', task.id);
    expect(await row.executeTakeFirst()).toEqual({ summary_request: { structure: 'meeting' } });
  });

  it('keeps the names in the summary even if other speakers are recognized', async () => {
    const [a, b, c] = paragraphs;
    const assign = (paragraph: string | undefined, speaker: string) =>
      phone.applyOne({ type: 'paragraph.speaker', recording, paragraph, speaker });
    for (const [paragraph, speaker] of [
      [a, '1'],
      [b, '1'],
      [c, '2'],
    ] as const) {
      await assign(paragraph, speaker);
    }
    await summarize({ id });
    const analyzer = { ...selectAnalyzer(server.config), analyze: writePoints };
    await summarizeJob({ ...summaryParts(), analyzer })({ taskId: transcript }, neverAborted);
    const points = async () => (await detail(id)).summary.split('\n');
    const generated = ['Speaker 1 speaks.', 'Speaker 1 speaks.', 'Speaker 2 speaks.'];
    expect(await points()).toEqual(generated);
    // The last two paragraphs are recognized as a single paragraph of the first speaker.
    const { data: task } = await request(1, 2);
    await run(task.id, async () => createRecognition('en', [1, 'We met.']));
    const result = await detail(id);
    expect(result.paragraphs.map(({ speaker }) => speaker)).toEqual(['1', '1']);
    expect(await points()).toEqual(generated);
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '2', name: 'Ben' });
    expect(await points()).toEqual([generated[0], generated[1], 'Ben speaks.']);
    // Merging speakers still works.
    for (const paragraph of result.paragraphs) await assign(paragraph.id, '3');
    expect(await points()).toEqual(['Speaker 3 speaks.', 'Speaker 3 speaks.', 'Ben speaks.']);
  });

  it.each(['waiting', 'active'] as const)(
    'generates a summary from the new transcript if an earlier summary is still %s',
    async (state) => {
      const { data: task } = await request();
      // A summary requested during the transcription is generated from the old transcript.
      const { data: summary } = await summarize({ id, structure: 'meeting' });
      expect(summary).toEqual({ id: transcript, summarizing: { status: taskStatus.queued } });
      const { summaries } = summaryParts();
      const activeSummary = state === 'active' ? await summaries.begin(transcript) : null;
      await run(task.id, async () => createRecognition('en', [1, 'Ann will call the harbor.']));
      expect(await detail(id)).toMatchObject({ summarizing: { status: taskStatus.queued } });
      const waitingJobs = await server.queue.list(['waiting']);
      const queued = waitingJobs
        .filter(({ name }) => name === 'summarize')
        .map(({ payload }) => payload);
      expect(queued).toContainEqual({ taskId: task.id });
      // The job of the earlier task has no effect.
      if (activeSummary) {
        const texts = { title: 'Earlier', brief: '', summary: '', keywords: [], engine: 'builtin' };
        await summaries.succeed(activeSummary, { ...texts, document: emptyDocument });
      }
      await makeSummary(transcript);
      expect((await detail(transcript)).summarizing).toBeNull();
      await makeSummary(task.id);
      const result = await detail(id);
      expect(result).toMatchObject({
        summary_json: { structure: 'meeting' },
        summarizing: { status: taskStatus.transcribed },
      });
      expect(JSON.stringify(result.summary_json)).toContain('Ann will call the harbor.');
      expect((await description()).ai_title).not.toBe('Earlier');
      // A phone that hasn't received the new transcript requests a summary.
      expect((await summarize({ id: transcript })).data.id).toBe(task.id);
    },
  );

  it('rejects other requests until it has finished', async () => {
    const { data: task } = await request();
    const wholeRecordingRequest = { id, language: 'en', again: transcript };
    for (const send of [() => request(2), () => call('task/create', wholeRecordingRequest)]) {
      expect((await send()).code).toBe(codes.transcriptionRunning);
    }
    // A phone without the transcript finds the task.
    expect((await call('task/create', { id, language: 'en' })).data.id).toBe(task.id);
    await run(task.id, async () => createRecognition('en', [1, 'One.']));
    // The paragraph belongs to the replaced transcript.
    expect((await request(2)).code).toBe(codes.notFound);
  });

  it.each([
    ['paragraphs in the wrong order', () => request(2, 1), codes.notFound],
    ['an unknown paragraph', () => request(7, 1), codes.badRequest],
    ['an unsupported language', () => request(1, 1, 'th'), codes.languageUnavailable],
    [
      'other audio',
      () =>
        call('task/create', {
          id,
          language: 'en',
          again: transcript,
          audio_url: 'https://example.com/a',
          range: { from: paragraphs[0] ?? '', to: paragraphs[0] ?? '' },
        }),
      codes.badRequest,
    ],
  ])('rejects %s', async (_, send, code) => {
    expect((await send()).code).toBe(code);
  });
});
