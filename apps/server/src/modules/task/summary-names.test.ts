import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { emptyDocument, transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { summarizeJob } from '../../jobs/summarize.ts';
import { AnalysisFailure, type TranscriptAnalyzer } from '../../providers/analysis/port.ts';
import { createSummaries } from './summary.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
let recording: { id: string; flag: string; taskId: string; paragraphs: readonly string[] };

/** Assigns the report to the first speaker and the budget to the second, as a language model would. */
const analyzer: TranscriptAnalyzer = {
  id: 'scripted',
  kind: 'generative',
  structures: ['general'],
  translates: false,
  async analyze({ paragraphs }) {
    const [first, second] = paragraphs;
    const cite = (paragraph: typeof first) => ({
      paragraph_id: paragraph?.id ?? '',
      start_time: paragraph?.start ?? 0,
    });
    const report = `${first?.speaker} sends the report`;
    const budget = `${second?.speaker} plans the budget`;
    const items = [{ id: 'general-1', text: budget, ...cite(second) }];
    return {
      title: `Report of ${first?.speaker}`,
      brief: `${first?.speaker} and ${second?.speaker} share the work.`,
      summary: budget,
      keywords: ['report'],
      engine: 'scripted',
      document: {
        ...emptyDocument,
        kind: 'generative',
        structures: { general: { sections: [{ heading: 'overview', items }] } },
        todos: [
          {
            id: 'todos-1',
            text: report,
            ...cite(first),
            who: first?.speaker ?? null,
            when: null,
            due: null,
          },
        ],
      },
    };
  },
};

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
  const tone = toneWave(3, 8000);
  const { id, client_flag: flag } = await uploadRecording(server, owner, tone, { ext: 'wav' });
  const texts = ['I take that.', 'And I take the rest.'];
  recording = { id, flag, ...(await transcribe(server, owner, id, texts, ['1', '2'])) };
});

const token = () => ({ token: owner.access });
const detail = async () =>
  (await server.call('task/detail', { id: recording.taskId }, token())).data;
const name = (speaker: string, text: string) =>
  operation({ type: 'recording.speaker', recording: recording.flag, speaker, name: text });
const assign = (index: number, speaker: string) =>
  operation({
    type: 'paragraph.speaker',
    recording: recording.flag,
    paragraph: recording.paragraphs[index] ?? '',
    speaker,
  });
async function summarize(during: () => Promise<unknown> = async () => undefined): Promise<void> {
  await server.call('task/summarize', { id: recording.id }, token());
  const summaries = createSummaries(server);
  const slow: TranscriptAnalyzer = {
    ...analyzer,
    analyze: async (request) => {
      await during();
      return analyzer.analyze(request);
    },
  };
  const log = pino({ level: 'silent' });
  const deps = { db: server.db, analyzer: slow, summaries, isFree: true, log, now: server.now };
  await summarizeJob(deps)({ taskId: recording.taskId }, new AbortController().signal);
}

/** Returns all texts that name the summary's speakers. */
async function loadSummary() {
  const { title, brief, summary, summary_json: document, xmind_json: map } = await detail();
  const [todo] = document?.todos ?? [];
  const row = await phone.recording(recording.flag);
  return [
    title,
    brief,
    summary,
    todo?.text,
    todo?.who,
    ...[row.ai_title, row.brief, ...(map ?? []).map(({ topic }) => topic)],
  ];
}
const createNamedSummary = (first: string, second: string) => {
  const [title, budget] = [`Report of ${first}`, `${second} plans the budget`];
  const brief = `${first} and ${second} share the work.`;
  return [title, brief, budget, `${first} sends the report`, first, title, brief, title, budget];
};

describe('names in a summary', () => {
  it('are default names until the speakers are named, and then follow them', async () => {
    await summarize();
    expect(await loadSummary()).toEqual(createNamedSummary('Speaker 1', 'Speaker 2'));
    await phone.apply([name('1', 'Zoë'), name('2', 'Noah')]);
    expect(await loadSummary()).toEqual(createNamedSummary('Zoë', 'Noah'));
    await phone.apply([name('1', 'Noah'), name('2', 'Zoë')]);
    expect(await loadSummary()).toEqual(createNamedSummary('Noah', 'Zoë'));
    await phone.apply([name('1', ''), name('2', '')]);
    expect(await loadSummary()).toEqual(createNamedSummary('Speaker 1', 'Speaker 2'));
  });

  it('follow a merge of speakers, and undoing it', async () => {
    await phone.apply([name('1', 'Zoë')]);
    await summarize();
    await phone.apply([assign(1, '1')]);
    expect(await loadSummary()).toEqual(createNamedSummary('Zoë', 'Zoë'));
    await phone.apply([assign(1, '2')]);
    expect(await loadSummary()).toEqual(createNamedSummary('Zoë', 'Speaker 2'));
  });

  it('reach phones together with the names, and the mind map files', async () => {
    await summarize();
    const { cursor } = await phone.changes();
    await phone.apply([name('1', 'Zoë')]);
    const { changes } = await phone.changes({ cursor });
    expect(changes).toMatchObject([
      { kind: 'recording', recording: { speakers: { 1: 'Zoë' }, ai_title: 'Report of Zoë' } },
      { kind: 'task', task: { title: 'Report of Zoë', summary_json: { todos: [{ who: 'Zoë' }] } } },
    ]);
    const url = new URL((await detail()).mind_src_url ?? '');
    const file = await server.app.inject({ url: `${url.pathname}${url.search}` });
    expect(file.body).toContain('Report of Zoë');
  });

  it('can be found by the search', async () => {
    await summarize();
    const search = async (keyword: string) =>
      (await server.call('task/search', { keyword }, token())).data.total;
    expect(await search('speaker')).toBe(1);
    await phone.apply([name('2', 'Zoë')]);
    expect([await search('speaker'), await search('Zoë plans')]).toEqual([0, 1]);
  });

  it('are current if the speakers were named while the summary was created', async () => {
    await summarize(() => phone.apply([name('1', 'Zoë')]));
    expect(await loadSummary()).toEqual(createNamedSummary('Zoë', 'Speaker 2'));
  });

  it('are current if the speakers were named before a new summary failed', async () => {
    await summarize();
    await expect(
      summarize(async () => {
        await phone.apply([name('1', 'Zoë')]);
        expect(await loadSummary()).toMatchObject(createNamedSummary('Speaker 1', 'Speaker 2'));
        throw new AnalysisFailure('quota-exhausted', 'none left');
      }),
    ).resolves.toBeUndefined();
    expect(await loadSummary()).toEqual(createNamedSummary('Zoë', 'Speaker 2'));
  });

  it('aren’t sent again if nothing changes', async () => {
    await summarize();
    const { cursor } = await phone.changes();
    await phone.apply([name('3', 'Nobody')]);
    const { changes } = await phone.changes({ cursor });
    expect(changes.map(({ kind }) => kind)).toEqual(['recording']);
  });

  it('are unchanged if the summary can’t be read, without failing anything else', async () => {
    await summarize();
    const read = server.db
      .selectFrom('tasks')
      .select('summary_json')
      .where('id', '=', recording.taskId);
    const unreadable = { kind: 'generative', speaker_references: {} };
    const write = (document: unknown) =>
      server.db
        .updateTable('tasks')
        .set({ summary_json: JSON.stringify(document) })
        .where('id', '=', recording.taskId)
        .execute();
    const { summary_json: document } = await read.executeTakeFirstOrThrow();
    await write(unreadable);
    const results = await phone.apply([name('1', 'Zoë'), assign(1, '1')]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    const fail = async () => {
      throw new AnalysisFailure('quota-exhausted', 'none left');
    };
    await expect(summarize(fail)).resolves.toBeUndefined();
    await write(document);
    const row = await phone.recording(recording.flag);
    expect([row.speakers, row.ai_title]).toEqual([{ 1: 'Zoë' }, 'Report of Speaker 1']);
    await phone.apply([name('2', 'Noah')]);
    expect((await loadSummary())[0]).toBe('Report of Zoë');
  });

  it('don’t change mind map nodes typed by the user', async () => {
    await summarize();
    const map = (await detail()).xmind_json ?? [];
    const mine = { id: 'mine', parentid: 'root', topic: 'Report of Speaker 1' };
    await phone.apply([
      operation({
        type: 'recording.mindMap',
        recording: recording.flag,
        mind_map: [...map, mine],
      }),
      name('1', 'Zoë'),
    ]);
    const row = await phone.recording(recording.flag);
    expect(row.mind_map?.map(({ topic }) => topic)).toEqual([
      'Report of Zoë',
      'Speaker 2 plans the budget',
      'Report of Speaker 1',
    ]);
  });
});
