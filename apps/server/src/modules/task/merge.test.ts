import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone } from '../../../test/sync.ts';
import { endTask, transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
let merged: Recording;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
  merged = await upload(6);
});

interface Recording {
  readonly id: string;
  readonly flag: string;
}

async function upload(seconds = 3): Promise<Recording> {
  const wave = toneWave(seconds, 8000);
  const { id, client_flag: flag } = await uploadRecording(server, owner, wave, { ext: 'wav' });
  return { id, flag };
}

const token = () => ({ token: owner.access });
const balance = async () => (await server.call('user/leftMinute', {}, token())).data;
const word = { text: 'harbor', start: 0.25, end: 0.5, confidence: 1 };
const morning = ['The harbor opens at night.', 'We met mister mayer there.'];
const evening = ['He paid in gold.', 'Nobody saw him.'];

/** Merges recordings of three seconds. */
const merge = (...parts: readonly Recording[]) =>
  server.call(
    'task/merge',
    { id: merged.id, parts: parts.map(({ flag }, n) => ({ client_flag: flag, start: n * 3 })) },
    token(),
  );
const detail = async () => (await server.call('task/detail', { id: merged.id }, token())).data;

describe('a merged recording', () => {
  it('contains the transcripts of its parts with their edits, and is free of charge', async () => {
    const [a, b] = [await upload(), await upload()];
    const transcribed = await transcribe(server, owner, a.id, morning, ['1', '2'], [], {
      words: [word],
    });
    await transcribe(server, owner, b.id, evening, ['2', '1']);
    const edit = { recording: a.flag, paragraph: transcribed.paragraphs[1] };
    await phone.applyOne({
      type: 'paragraph.edit',
      ...edit,
      content: 'We met mister Meier there.',
    });
    await phone.applyOne({ type: 'paragraph.mark', ...edit, is_tag: 1 });
    await phone.applyOne({
      type: 'recording.speaker',
      recording: a.flag,
      speaker: '1',
      name: 'Ann',
    });
    await phone.applyOne({
      type: 'recording.speaker',
      recording: b.flag,
      speaker: '1',
      name: 'Ann',
    });
    const before = await balance();
    const { cursor } = await phone.changes();

    const { data } = await merge(a, b);
    expect(data).toMatchObject({ status: taskStatus.transcribed, progress: 100, language: 'en' });
    expect(await balance()).toEqual(before);
    const task = await detail();
    expect(task).toMatchObject({
      id: data.id,
      engine: 'pocketsphinx/test',
      minutes: 0,
      summarizing: { status: taskStatus.queued, error: null },
      paragraphs: [
        { start_time: 0, end_time: 1, content: morning[0], is_tag: 0, speaker: '1', words: [word] },
        {
          start_time: 1,
          end_time: 2,
          content: 'We met mister Meier there.',
          is_tag: 1,
          speaker: '2',
          edited: true,
        },
        { start_time: 3, end_time: 4, content: evening[0], is_tag: 0, speaker: '3' },
        { start_time: 4, end_time: 5, content: evening[1], is_tag: 0, speaker: '1' },
      ],
    });
    expect((await phone.recording(merged.flag)).speakers).toEqual({ 1: 'Ann' });
    const { data: history } = await server.call(
      'task/paragraph-history',
      { id: task.paragraphs[1]?.id ?? '', radio_file_id: merged.id },
      token(),
    );
    expect(history.list[0]?.content).toBe(morning[1]);
    const { changes } = await phone.changes({ cursor });
    expect(changes.filter(({ kind }) => kind === 'paragraph')).toHaveLength(4);
    // The parts are unchanged.
    const { data: part } = await server.call('task/detail', { id: a.id }, token());
    expect(part.paragraphs.map(({ id }) => id)).toEqual(transcribed.paragraphs);
  });

  it('shifts the word timestamps, and keeps the language of each part', async () => {
    const [a, b] = [await upload(), await upload()];
    await transcribe(server, owner, a.id, morning);
    const french = { words: [word], language: 'fr' } as const;
    await transcribe(server, owner, b.id, ['Le port ouvre la nuit.'], [], [], french);
    await merge(a, b);
    const { paragraphs } = await detail();
    expect(paragraphs.at(-1)?.words).toEqual([{ ...word, start: 3.25, end: 3.5 }]);
    const rows = await server.db
      .selectFrom('paragraphs')
      .innerJoin('tasks', 'tasks.id', 'paragraphs.task_id')
      .select(['paragraphs.language', 'tasks.language as transcript'])
      .where('tasks.recording_id', '=', merged.id)
      .orderBy('ordinal')
      .execute();
    expect(rows.map(({ language, transcript }) => [language, transcript])).toEqual([
      [null, 'en'],
      [null, 'en'],
      ['fr', 'en'],
    ]);
  });

  it('can be edited like any other recording', async () => {
    const [a, b] = [await upload(), await upload()];
    await transcribe(server, owner, a.id, morning);
    await transcribe(server, owner, b.id, evening);
    await merge(a, b);
    const [first] = (await detail()).paragraphs;
    const content = 'The harbor opens at nine.';
    await phone.applyOne({
      type: 'paragraph.edit',
      recording: merged.flag,
      paragraph: first?.id,
      content,
    });
    expect((await detail()).paragraphs[0]).toMatchObject({ content, edited: true });
  });

  it('lists completed to-dos and unplaced changes, with their new positions', async () => {
    const [a, b] = [await upload(), await upload()];
    await transcribe(server, owner, a.id, morning);
    const otherFields = { paragraph_id: 'p', who: null, when: null, due: null };
    const todo = { id: 'todos-1', text: 'Call Ann.', start_time: 1, ...otherFields };
    await transcribe(server, owner, b.id, evening, [], [todo]);
    await phone.applyOne({
      type: 'recording.tick',
      recording: b.flag,
      item: 'todos-1',
      done: true,
    });
    await merge(a, b);
    const { unplaced } = await phone.recording(merged.flag);
    expect(unplaced).toEqual([
      { id: expect.any(String), kind: 'todo', text: 'Call Ann.', time: 4 },
    ]);
  });

  it('has the voices of its speakers', async () => {
    const [a, b] = [await upload(), await upload()];
    await transcribe(server, owner, a.id, morning, ['1', '2']);
    await transcribe(server, owner, b.id, evening, ['1', '1']);
    const voice = { account_id: owner.id, model: 'test', embedding: Buffer.alloc(4) };
    await server.db
      .insertInto('speaker_voices')
      .values([
        { ...voice, recording_id: a.id, speaker: '2' },
        { ...voice, recording_id: b.id, speaker: '1' },
      ])
      .execute();
    await merge(a, b);
    const voices = await server.db
      .selectFrom('speaker_voices')
      .select('speaker')
      .where('recording_id', '=', merged.id)
      .orderBy('speaker')
      .execute();
    expect(voices.map(({ speaker }) => speaker)).toEqual(['2', '3']);
  });

  it('keeps its first transcript if the call is retried', async () => {
    const [a, b] = [await upload(), await upload()];
    await transcribe(server, owner, a.id, morning);
    await transcribe(server, owner, b.id, evening);
    const { data: first } = await merge(a, b);
    expect((await merge(b, a)).data.id).toBe(first.id);
    expect((await detail()).paragraphs).toHaveLength(4);
  });

  it('requires transcripts of all parts', async () => {
    const [a, b] = [await upload(), await upload()];
    await transcribe(server, owner, a.id, morning);
    expect(await merge(a, b)).toMatchObject({ code: codes.notTranscribed, data: null });
    const { data } = await server.call('task/create', { id: b.id, language: 'en' }, token());
    expect(await merge(a, b)).toMatchObject({ code: codes.notTranscribed });
    await endTask(server, data.id, evening);
    expect(await merge(a, b)).toMatchObject({ code: codes.ok });
  });

  it('requires the account’s own recordings, in order', async () => {
    const a = await upload();
    await transcribe(server, owner, a.id, morning);
    const other = { ...a, flag: crypto.randomUUID() };
    expect(await merge(a, other)).toMatchObject({ code: codes.notFound });
  });

  it.each([
    ['repeated', [0, 3], [0, 0]],
    ['in a different order', [3, 0], [0, 1]],
    ['longer than the recording', [0, 6], [0, 1]],
    ['overlapping', [0, 0.5], [0, 1]],
  ])('rejects parts that are %s', async (_, starts, order) => {
    const recordings = [await upload(), await upload()];
    for (const { id } of recordings) await transcribe(server, owner, id, morning);
    const parts = starts.map((start, n) => {
      return { client_flag: recordings[order[n] ?? 0]?.flag ?? '', start };
    });
    const body = { id: merged.id, parts };
    expect(await server.call('task/merge', body, token())).toMatchObject({
      code: codes.badRequest,
      data: null,
    });
  });
});
