import { codes } from '@linnet/contract/codes';
import { expandLetters, foldedWords } from '@linnet/contract/folding';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribe, transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { createGrams } from '../../retrieval/grams.ts';
import { createPassageIndex } from '../../retrieval/passage-index.ts';
import { expanded, toPattern } from './search-patterns.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

const searchNow = async (keyword: string, paging: object = {}, account = owner) =>
  (await server.call('task/search', { keyword, ...paging }, { token: account.access })).data;
const updateIndex = (account = owner) =>
  createPassageIndex(server.db).update(account.id, Number.POSITIVE_INFINITY);
const getIds = ({ list }: { list: readonly { id: string }[] }) => list.map(({ id }) => id);

describe.each([
  ['a search without an index', async () => {}],
  [
    'a search with a current index',
    async () => {
      await updateIndex();
    },
  ],
])('%s', (_name, prepare) => {
  const search = async (keyword: string, paging: object = {}) => {
    await prepare();
    return searchNow(keyword, paging);
  };

  it('finds archived recordings, marked as such, and their new transcripts', async () => {
    const { id, clientFlag: recording } = await transcribedRecording(server, owner);
    const phone = createPhone(server, owner);
    await phone.applyOne({ type: 'recording.archive', recording, on: true });
    expect((await search('heron')).list).toMatchObject([{ id, is_archived: 1 }]);
    await transcribe(server, owner, id, ['Now the bittern speaks.']);
    expect((await search('bittern')).list).toMatchObject([{ id, is_archived: 1 }]);
    expect(await phone.recording(recording)).toMatchObject({ is_archived: 1 });
  });

  it('finds words in all text fields and reports the field of each match', async () => {
    const recordingOfOwner = await transcribedRecording(server, owner);
    const phone = createPhone(server, owner);
    const recording = recordingOfOwner.clientFlag;
    await phone.applyOne({ type: 'recording.tag', recording, tag: 'Ward round', on: true });
    await phone.applyOne({ type: 'recording.rename', recording, name: 'Monday, 9 o’clock' });
    await phone.applyOne({
      type: 'recording.speaker',
      recording,
      speaker: 'A',
      name: 'Dr Zoë Orr',
    });
    const where = async (keyword: string, notes = true) => {
      const { list } = await search(keyword, { notes });
      expect(list).toHaveLength(1);
      expect(list[0]).toMatchObject({
        id: recordingOfOwner.id,
        task: { id: recordingOfOwner.taskId, status: 2 },
      });
      return list[0]?.matches.map(({ where, text, start, length }) => ({
        where,
        match: text.slice(start, start + length),
      }));
    };
    expect(await where('MONDAY')).toEqual([{ where: 'name', match: 'Monday' }]);
    expect(await where('round')).toEqual([{ where: 'tag', match: 'round' }]);
    expect(await where('zoe')).toEqual([{ where: 'speaker', match: 'Zoë' }]);
    const note = { id: 'n', time: 1, text: 'Ask about the rounds.' };
    await phone.applyOne({ type: 'recording.note', recording, note: 'n', value: note });
    const marker = { id: 'm', time: 2, label: 'Dosage' };
    await phone.applyOne({ type: 'recording.marker', recording, marker: 'm', value: marker });
    expect(await where('about')).toEqual([{ where: 'note', match: 'about' }]);
    expect(await where('about', false)).toEqual([]);
    expect(await where('dosage')).toEqual([{ where: 'marker', match: 'Dosage' }]);
    expect(await where('heron')).toEqual([
      { where: 'keyword', match: 'heron' },
      { where: 'summary', match: 'heron' },
      { where: 'paragraph', match: 'heron' },
    ]);
    const { list } = await search(recordingOfOwner.secret);
    expect(list[0]).toMatchObject({
      match_count: 1,
      matches: [
        {
          where: 'paragraph',
          text: `Nobody heard of ${recordingOfOwner.secret}.`,
          paragraph_id: recordingOfOwner.paragraphs[1],
          start_time: 1,
        },
      ],
    });
  });

  it('uses the generated title until the user sets a title', async () => {
    const { id, client_flag: recording } = await uploadRecording(
      server,
      owner,
      toneWave(2.5, 8000),
      { ext: 'wav' },
    );
    await transcribe(server, owner, id, ['x']);
    const rename = (name: string) =>
      createPhone(server, owner).applyOne({ type: 'recording.rename', recording, name });
    await rename('Rounds');
    expect((await search('rounds')).list[0]?.matches).toMatchObject([{ where: 'name' }]);
    await rename('');
    expect((await search('rounds')).total).toBe(0);
    // The word also appears in a keyword and the summary, but the title is listed first.
    expect((await search('heron')).list[0]?.matches[0]).toMatchObject({
      where: 'name',
      text: 'A heron',
    });
  });

  it('finds edited text, not the recognized text', async () => {
    const recordingOfOwner = await transcribedRecording(server, owner);
    const [paragraph = ''] = recordingOfOwner.paragraphs;
    const edit = { type: 'paragraph.edit', recording: recordingOfOwner.clientFlag, paragraph };
    await createPhone(server, owner).applyOne({ ...edit, content: 'L’été, la grue attend.' });
    expect((await search('ete grue')).list[0]?.matches).toMatchObject([
      { where: 'paragraph', start: 2, length: 3, paragraph_id: paragraph },
    ]);
    expect((await search('the')).total).toBe(0);
  });

  it('searches only the latest transcript', async () => {
    const recordingOfOwner = await transcribedRecording(server, owner);
    const { taskId } = await transcribe(server, owner, recordingOfOwner.id, [
      'Quite another text.',
    ]);
    expect((await search(recordingOfOwner.secret)).total).toBe(0);
    expect((await search('another')).total).toBe(1);
    // A task without a transcript must not hide the transcript of an earlier task.
    const createBody = { id: recordingOfOwner.id, language: 'en', again: taskId };
    await server.call('task/create', createBody, { token: owner.access });
    expect((await search('another')).list).toMatchObject([{ id: recordingOfOwner.id, status: 0 }]);
  });

  it('returns pages of the account’s recordings, newest first and without the recycle bin', async () => {
    const idsByDay: string[] = [];
    for (const day of [3, 1, 2, 4]) {
      const { id } = await transcribedRecording(server, owner);
      const recorded_at = new Date(Date.UTC(2026, 10, day));
      await server.db.updateTable('recordings').set({ recorded_at }).where('id', '=', id).execute();
      idsByDay[day] = id;
    }
    const otherUser = await server.register();
    await transcribedRecording(server, otherUser);
    await server.call('radio/delete', { id: idsByDay[4] }, { token: owner.access });
    const all = await search('heron');
    expect(all).toMatchObject({ total: 3, page: 1, limit: 20 });
    expect(getIds(all)).toEqual([idsByDay[3], idsByDay[2], idsByDay[1]]);
    expect(getIds(await search('heron', { limit: 2, page: 2 }))).toEqual([idsByDay[1]]);
    expect(await search('heron', { limit: 2, page: 3 })).toMatchObject({ total: 3, list: [] });
  });

  it('returns the first three matches of a recording and counts all', async () => {
    const { id } = await uploadRecording(server, owner, toneWave(2.5, 8000), { ext: 'wav' });
    const texts = Array.from({ length: 7 }, (_, n) => `Paragraph ${n}.`);
    const { paragraphs } = await transcribe(server, owner, id, texts);
    const { list } = await search('paragraph');
    expect(list[0]?.match_count).toBe(7);
    expect(list[0]?.matches.map((match) => match.paragraph_id)).toEqual(paragraphs.slice(0, 3));
  });

  it('returns an excerpt around a match in a long text', async () => {
    const { id } = await uploadRecording(server, owner, toneWave(2.5, 8000), { ext: 'wav' });
    const text = `${'👍 many words before '.repeat(40)}needle${' and 👍 many after'.repeat(40)}`;
    await transcribe(server, owner, id, [text]);
    const match = (await search('needle')).list[0]?.matches[0];
    expect(match?.text.slice(match.start, match.start + match.length)).toBe('needle');
    expect(match?.text).toMatch(/^….*needle.*…$/u);
    expect(match?.text.length).toBeLessThan(160);
    expect(match?.text.isWellFormed()).toBe(true);
  });

  it('accepts very long and unusual words', async () => {
    await transcribedRecording(server, owner);
    const oddQueries = [
      '%',
      '_',
      '\\',
      "'",
      '"',
      '((((',
      '[a-z]',
      '***:e',
      '(?i)x',
      '^',
      '\u0301\u0640',
    ];
    for (const keyword of [...oddQueries, 'ö'.repeat(200), 'œ '.repeat(100)]) {
      expect(await search(keyword)).toMatchObject({ total: 0, list: [] });
    }
    expect((await search('heron waits. a it')).total).toBe(1);
  });
});

describe('the index of the search', () => {
  const isIndexed = async (recordingId: string) =>
    (await server.db
      .selectFrom('search_texts')
      .select('recording_id')
      .where('recording_id', '=', recordingId)
      .executeTakeFirst()) !== undefined;

  it('is not needed for recordings that have changed since it was updated', async () => {
    const edited = await transcribedRecording(server, owner);
    await transcribedRecording(server, owner);
    await updateIndex();
    const { secret, clientFlag: recording, paragraphs } = edited;
    const edit = { type: 'paragraph.edit', recording, paragraph: paragraphs[1] };
    await createPhone(server, owner).applyOne({ ...edit, content: 'The bittern waits.' });
    // The index still has the replaced text.
    expect((await searchNow(secret)).total).toBe(0);
    expect(getIds(await searchNow('bittern'))).toEqual([edited.id]);
    expect((await searchNow('heron')).total).toBe(2);
  });

  it('has no texts of erased recordings', async () => {
    const { id } = await transcribedRecording(server, owner);
    await updateIndex();
    expect(await isIndexed(id)).toBe(true);
    await server.call('radio/delete', { id }, { token: owner.access });
    expect((await searchNow('heron')).total).toBe(0);
    await server.call('radio/batchDelete', { ids: [id] }, { token: owner.access });
    expect(await isIndexed(id)).toBe(false);
  });

  it('is not used for recordings that an older version has indexed', async () => {
    const { id } = await transcribedRecording(server, owner);
    await updateIndex();
    await server.db.deleteFrom('search_texts').where('recording_id', '=', id).execute();
    expect((await searchNow('heron')).total).toBe(0);
    await server.db
      .updateTable('passages')
      .set({ format: 3 })
      .where('recording_id', '=', id)
      .execute();
    expect((await searchNow('heron')).total).toBe(1);
    await createPassageIndex(server.db).rebuild(owner.id, Number.POSITIVE_INFINITY);
    expect(await isIndexed(id)).toBe(true);
    expect((await searchNow('heron')).total).toBe(1);
  });

  it('never finds recordings of another account', async () => {
    const otherUser = await server.register();
    const { id, secret } = await transcribedRecording(server, otherUser);
    await updateIndex(otherUser);
    expect((await searchNow(secret, {}, otherUser)).total).toBe(1);
    // Not even with the n-grams of the account that searches.
    const grams = createGrams(owner.id).ofWord(secret.toLowerCase());
    await server.db
      .updateTable('search_texts')
      .set({ grams })
      .where('recording_id', '=', id)
      .execute();
    expect((await searchNow(secret)).total).toBe(0);
  });
});

describe('task/search', () => {
  it.each([{}, { keyword: ' ' }, { keyword: 'x'.repeat(201) }, { keyword: 'x', page: 0 }])(
    'rejects %j',
    async (body) => {
      const response = await server.call('task/search', body, { token: owner.access });
      expect(response).toMatchObject({ code: codes.badRequest, data: null });
    },
  );
});

it('finds the same texts with PostgreSQL and JavaScript', async () => {
  const letters = [..."aÀéEsßœﬁ’’'–.*+?()[]{}|^$\\-/_% 会か\u3099が한ปИйиёْا\u064bأ\u0301Ａ1👍"];
  const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });
  const cases = fc.sample(fc.tuple(text, text), 4000).flatMap(([keyword, around]) =>
    foldedWords(keyword)
      .map(toPattern)
      .flatMap((pattern) => [
        { pattern, text: around },
        { pattern, text: `${around}${keyword}${around}` },
      ]),
  );
  expect(cases.length).toBeGreaterThan(4000);
  const { rows } = await sql<{ found: boolean }>`
    select ${expanded(sql`text`)} ~ pattern as found from unnest(
      ${cases.map((testCase) => testCase.text)}::text[], ${cases.map((testCase) => testCase.pattern)}::text[]
    ) with ordinality as cases (text, pattern, place) order by place`.execute(server.db);
  for (const [index, { pattern, text: searched }] of cases.entries()) {
    const found = new RegExp(pattern, 'u').test(expandLetters(searched));
    expect([pattern, searched, rows[index]?.found]).toEqual([pattern, searched, found]);
  }
});
