import type { Change, Paragraph, SummaryDocument } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { createStores, migrate, type SqlDatabase } from '@linnet/local-db';
import i18next from 'i18next';
import { beforeAll, expect, it } from 'vitest';
import en from '../../i18n/locales/en/index.ts';
import type { ExportChoice } from '../../ports/exports.ts';
import { createExporter } from './exporter.ts';

// Imported dynamically, because the app's type check doesn't include Node's types.
const { openNodeSqlite }: { openNodeSqlite(path: string): Promise<SqlDatabase> } = await import(
  '@linnet/local-db/node-sqlite' as string
);

const [id, uid, at] = ['r1', 'owner', '2026-01-01T00:00:00.000Z'];
const [one, two] = [
  { speaker: '1', name: 'Speaker 1' },
  { speaker: '2', name: 'Speaker 2' },
];
const title = 'Report of Speaker 1';
const brief = 'Speaker 2 agrees with Speaker 1.';
const report = 'Speaker 1 sends the report to Speaker 2';
const source = { paragraph_id: 'p0', start_time: 0 };
const todo = { id: 'todos-1', text: report, who: 'Speaker 1', when: null, due: null, ...source };
const sections = [{ heading: 'overview', items: [{ id: 'general-1', text: report, ...source }] }];
const document: SummaryDocument = {
  ...{ version: 1, engine: 'e', kind: 'generative', language: 'en', structure: 'general' },
  structures: { general: { sections } },
  todos: [todo],
  ...{ knowledge_points: [], needs: [], questions: [], finance: [], timeline: [], topics: [] },
  looked_for: [],
  speaker_references: {
    texts: [
      { places: ['title'], parts: ['Report of ', one] },
      { places: ['brief'], parts: [two, ' agrees with ', one, '.'] },
      {
        paragraph_id: 'p0',
        places: ['summary/0', 'structures/general/sections/0/items/0/text', 'todos/0/text'],
        parts: [one, ' sends the report to ', two],
      },
      { paragraph_id: 'p0', places: ['todos/0/who'], parts: [one] },
    ],
    paragraphs: [
      { paragraph_id: 'p0', speaker: '1' },
      { paragraph_id: 'p1', speaker: '2' },
    ],
  },
};

/** Returns a recording with a transcript of two speakers and a generated summary, as the server sends it. */
function createChanges(): Change[] {
  const paragraph = (ordinal: number, speaker: string): Change => {
    const content: Paragraph = {
      ...{ id: `p${ordinal}`, start_time: ordinal, end_time: ordinal + 1, is_tag: 0, speaker },
      content: 'I see.',
    };
    const location = { client_flag: id, task_id: 't1', ordinal };
    return { kind: 'paragraph', rev: 1, ...location, paragraph: content };
  };
  return [
    {
      kind: 'recording',
      rev: 1,
      recording: {
        ...{ id: 'server', client_flag: id, name: '', ai_title: title, source: 0, url: null },
        ...{ file_size: 0, sha256: null, audio_sha256: null, mime_type: 'audio/ogg', ext: 'ogg' },
        ...{ total_time: 3, peaks: '', sn: '', status: null, progress: 0, keywords: [], tags: [] },
        ...{ brief, is_del: 0, recorded_at: at, created_at: at, updated_at: at, rev: 1 },
        ...{ task: null, place: null, speakers: {}, markers: [], ticks: {}, mind_map: null },
      },
    },
    {
      kind: 'task',
      rev: 1,
      client_flag: id,
      task: {
        ...{ id: 't1', radio_file_id: 'server', language: 'en', status: taskStatus.transcribed },
        ...{ progress: 100, step: null, error: null, title, brief, summary: report, keywords: [] },
        ...{ summary_json: document, xmind_url: null, summarizing: null, engine: 'e', minutes: 1 },
        xmind_json: [{ id: 'root', parentid: '', topic: title }],
        ...{ created_at: at, updated_at: at },
      },
    },
    paragraph(0, '1'),
    paragraph(1, '2'),
  ];
}

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } } }));

it("exports show the speakers' current names in all parts and formats", async () => {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { records, changes } = createStores(database);
  await changes.applyPage(uid, undefined, { changes: createChanges(), cursor: '1', more: false });
  const unexpected = () => expect.fail('unexpected call');
  const exporter = createExporter({
    records,
    uid: () => uid,
    client: { call: unexpected },
    audio: { master: unexpected, oggOpus: unexpected, wave: unexpected },
    audioProcessor: { denoised: unexpected },
    recode: unexpected,
    onError: unexpected,
  });
  const choice: Omit<ExportChoice, 'text'> = {
    ...{
      what: 'text',
      sound: 'mp3',
      version: 'original',
      parts: ['summary', 'todos', 'transcript'],
    },
    ...{ speakers: true, times: false, marked: false, folders: false },
  };
  const exportText = async (text: ExportChoice['text']) => {
    const { signal } = new AbortController();
    const exported = await exporter.make([id], { ...choice, text }, () => {}, signal);
    if (!exported.ok) throw new Error(exported.failure.code);
    return [exported.data.file.name, await exported.data.file.text()].join('\n');
  };
  const formats = ['txt', 'md', 'srt', 'vtt', 'json'] as const;
  const rename = (speaker: string, name: string) =>
    changes.edit(uid, { type: 'recording.speaker', recording: id, speaker, name });

  expect(await exportText('txt')).toContain('Speaker 1 sends the report to Speaker 2');
  await rename('1', 'Zoë');
  await rename('2', 'Noah');
  for (const format of formats) expect(await exportText(format), format).not.toContain('Speaker');
  for (const format of ['txt', 'md', 'json'] as const) {
    const text = await exportText(format);
    for (const expected of [
      'Report of Zoë',
      'Noah agrees with Zoë.',
      'Zoë sends the report to Noah',
    ]) {
      expect(text, format).toContain(expected);
    }
  }
  expect(JSON.parse((await exportText('json')).split('\n').slice(1).join('\n'))).toMatchObject({
    speakers: { 1: 'Zoë', 2: 'Noah' },
    summary: { todos: [{ who: 'Zoë' }] },
    mind_map: [{ topic: 'Report of Zoë' }],
  });
  expect(await exportText('json')).not.toContain('speaker_references');
  await database.close();
});
