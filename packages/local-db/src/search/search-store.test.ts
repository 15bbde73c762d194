import type { Paragraph, Task } from '@linnet/contract';
import { fold, foldedWords } from '@linnet/contract/folding';
import { taskStatus } from '@linnet/contract/statuses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNodeSqlite } from '../adapters/node-sqlite.ts';
import type { SqlDatabase } from '../database.ts';
import { migrate } from '../migrations.ts';
import { createStores } from '../stores.ts';
import { SCAN_THRESHOLD } from './candidates.ts';
import { PAGE_PARAGRAPHS } from './schema.ts';

const uid = 'owner';

type Stores = ReturnType<typeof createStores>;

async function openStores(): Promise<Stores & { database: SqlDatabase }> {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  return { ...createStores(database), database };
}

const audio = {
  sha256: 'ab'.repeat(32),
  bytes: 1,
  seconds: 1,
  peaks: new Uint8Array(),
  localfile: 'x.wav',
};
/** Adds the nth recording, a minute newer than the previous one. */
const addRecording = ({ records }: Stores, nth: number, title: string, owner = uid) =>
  records.add({
    ...{ id: `r${nth}`, uid: owner, title, audio },
    createDate: new Date(Date.UTC(2026, 0, 1, 0, nth)).toISOString(),
  });

const createParagraph = (content: string, ordinal: number): Paragraph => ({
  ...{ id: `p${ordinal}`, start_time: ordinal * 10.5, end_time: ordinal * 10.5 + 9 },
  ...{ content, is_tag: 0 },
});

const createResults = (
  id: string,
  contents: readonly string[],
  changes: Partial<Task> = {},
): Task => ({
  ...{ id, radio_file_id: 'f', language: 'en', status: taskStatus.transcribed, progress: 100 },
  ...{ step: null, error: null, title: '', brief: '', summary: '', summary_json: null },
  ...{
    keywords: [],
    xmind_url: null,
    xmind_json: null,
    summarizing: null,
    engine: 'e',
    minutes: 1,
  },
  ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
  paragraphs: contents.map(createParagraph),
  ...changes,
});

async function completeIndex({ search }: Stores): Promise<void> {
  while ((await search.catchUp()).remaining > 0);
}

async function searchIds(stores: Stores, searchText: string, limit = 100): Promise<string[]> {
  await completeIndex(stores);
  return (await stores.search.find(uid, foldedWords(searchText), limit)).found.map(({ id }) => id);
}

describe('createSearchStore', () => {
  it('finds words in metadata and transcripts and reports where they match', async () => {
    const stores = await openStores();
    await addRecording(stores, 1, 'Rehearsal');
    await stores.changes.edit(uid, {
      type: 'recording.tag',
      recording: 'r1',
      tag: 'Chœur',
      on: true,
    });
    const contents = ['Nothing yet.', 'The RÉSUMÉ is on the table, and so is the other résumé.'];
    const summary_json: Task['summary_json'] = {
      ...{ version: 1, engine: 'e', kind: 'extractive', language: 'en', structure: 'general' },
      ...{ structures: {}, todos: [], knowledge_points: [], needs: [], questions: [] },
      ...{ finance: [], timeline: [], topics: [], looked_for: [] },
    };
    const described = {
      summary_json,
      summary: 'About the motet.\nThen the hall.',
      keywords: ['tenors'],
    };
    await stores.records.storeResults('r1', createResults('t1', contents, described));
    const named = { type: 'recording.speaker', recording: 'r1', speaker: 'A' } as const;
    await stores.changes.edit(uid, { ...named, name: 'Zoë' });
    await completeIndex(stores);
    const matches = async (searchText: string) => {
      const results = await stores.search.find(uid, foldedWords(searchText), 5);
      return results.found.flatMap((record) => record.matches);
    };
    expect(await matches('hears')).toEqual([{ where: 'name', text: 'Rehearsal', paragraph: null }]);
    expect(await matches('chœ')).toEqual([{ where: 'tag', text: 'Chœur', paragraph: null }]);
    expect(await matches('tenor')).toEqual([{ where: 'keyword', text: 'tenors', paragraph: null }]);
    expect(await matches('zoe')).toEqual([{ where: 'speaker', text: 'Zoë', paragraph: null }]);
    expect(await matches('hall')).toEqual([
      { where: 'summary', text: 'Then the hall.', paragraph: null },
    ]);
    expect(await matches('resume')).toEqual([
      { where: 'paragraph', text: contents[1], paragraph: { id: 'p1', seconds: 10.5 } },
    ]);
    expect(await matches('resume tenors')).toHaveLength(2);
    expect(await matches('resume tenors elsewhere')).toEqual([]);
  });

  it.each([
    ['会议', '我们明天的会议室'],
    ['ชุม', 'วันนี้มีประชุมใหญ่'],
    ['كت', 'هذا كِتَابٌ جديد'],
    ['كِتَاب', 'هذا كتاب جديد'],
    ['مدرسه', 'المدرسة'],
    ['إلى', 'الي البيت'],
    ['👍', 'fine 👍'],
    ['で', '会議室で'],
    ['"o', 'he said "off'],
    ['%', '100% sure'],
    ['ok', 'ok'],
  ])('finds "%s" in "%s"', async (searchText, contents) => {
    const stores = await openStores();
    await addRecording(stores, 1, 'One');
    await stores.records.storeResults('r1', createResults('t1', [contents]));
    await addRecording(stores, 2, 'Two');
    expect(await searchIds(stores, searchText)).toEqual(['r1']);
  });

  it('counts all matches but returns only a few, and limits the number of recordings', async () => {
    const stores = await openStores();
    for (const nth of [1, 2, 3]) await addRecording(stores, nth, 'Talk');
    const contents = Array.from({ length: PAGE_PARAGRAPHS * 2 + 5 }, (_, nth) =>
      nth % 2 ? 'the motet' : 'else',
    );
    await stores.records.storeResults('r2', createResults('t', contents));
    await completeIndex(stores);
    const [only] = (await stores.search.find(uid, ['motet'], 5)).found;
    expect(only?.matches.map(({ paragraph }) => paragraph?.id)).toEqual(['p1', 'p3', 'p5']);
    expect(only?.matchCount).toBe(contents.filter((line) => line === 'the motet').length);
    const two = await stores.search.find(uid, ['talk'], 2);
    expect(two).toMatchObject({ found: [{ id: 'r3' }, { id: 'r2' }], more: true });
    expect(await stores.search.find(uid, ['talk'], 3)).toMatchObject({ more: false });
  });

  it('reflects edits and deletions', async () => {
    const stores = await openStores();
    const { changes, records, database } = stores;
    for (const nth of [1, 2, 3]) await addRecording(stores, nth, `Old ${nth}`);
    await addRecording(stores, 4, 'Old, of another account', 'another');
    await records.storeResults('r1', createResults('t1', ['The first version.']));
    expect(await searchIds(stores, 'old')).toEqual(['r3', 'r2', 'r1']);
    await changes.edit(uid, { type: 'recording.rename', recording: 'r1', name: 'New' });
    await changes.edit(uid, { type: 'recording.bin', recording: 'r2' });
    await changes.edit(uid, { type: 'recording.delete', recording: 'r3' });
    expect(await searchIds(stores, 'old')).toEqual([]);
    expect([...(await stores.search.presence(['r1', 'r2', 'r3', 'r9']))].sort()).toEqual([
      ['r1', 'kept'],
      ['r2', 'deleted'],
      ['r3', 'deleted'],
    ]);
    await changes.edit(uid, { type: 'recording.recover', recording: 'r2' });
    expect(await searchIds(stores, 'old')).toEqual(['r2']);
    await changes.edit(uid, {
      ...{ type: 'paragraph.edit', recording: 'r1', paragraph: 'p0' },
      content: 'The last word.',
    });
    expect([await searchIds(stores, 'version'), await searchIds(stores, 'last')]).toEqual([
      [],
      ['r1'],
    ]);
    const laterResults = {
      created_at: '2026-02-01T00:00:00.000Z',
      paragraphs: [{ ...createParagraph('Spoken again.', 0), id: 'q0' }],
    };
    await records.storeResults('r1', createResults('t2', [], laterResults));
    expect([await searchIds(stores, 'last'), await searchIds(stores, 'again')]).toEqual([
      [],
      ['r1'],
    ]);
    await changes.edit(uid, { type: 'recording.delete', recording: 'r1' });
    await changes.edit(uid, { type: 'recording.delete', recording: 'r2' });
    await completeIndex(stores);
    expect(await database.query(`select record_id, page from search_page`)).toEqual([
      { record_id: 'r4', page: -1 },
    ]);
    expect(await database.query('select rowid from search_index')).toHaveLength(1);
  });

  it('finds archived recordings, and marks them', async () => {
    const stores = await openStores();
    for (const nth of [1, 2]) await addRecording(stores, nth, `Talk ${nth}`);
    await stores.changes.edit(uid, { type: 'recording.archive', recording: 'r1', on: true });
    await completeIndex(stores);
    const { found } = await stores.search.find(uid, ['talk'], 5);
    expect(found.map(({ id, is_archived }) => [id, is_archived])).toEqual([
      ['r2', 0],
      ['r1', 1],
    ]);
  });

  it('finds both very frequent and rare words', async () => {
    const stores = await openStores();
    const many = SCAN_THRESHOLD + 100;
    await stores.database.batch(
      Array.from({ length: many }, (_, nth) => [
        `insert into record (id, uid, create_date, update_date, title) values (?, ?, ?, 'd', ?)`,
        [
          `r${nth}`,
          uid,
          String(nth).padStart(5, '0'),
          `Talk x${String.fromCharCode(0x4e00 + nth)}`,
        ],
      ]),
    );
    const newest = Array.from({ length: 3 }, (_, nth) => `r${many - 1 - nth}`);
    // The first query uses trigrams, the second is a prefix of too many trigrams, and the third has two words.
    for (const searchText of ['talk', 'x', 'x talk']) {
      expect(await searchIds(stores, searchText, 3)).toEqual(newest);
    }
    expect(await searchIds(stores, `talk x${String.fromCharCode(0x4e07)}`)).toEqual(['r7']);
    expect(await searchIds(stores, 'talk', many + 1)).toHaveLength(many);
    expect(await searchIds(stores, 'talk none')).toEqual([]);
  });

  it('reports the indexing backlog without notifying subscribers', async () => {
    const stores = await openStores();
    for (let nth = 0; nth < 100; nth += 1) await addRecording(stores, nth, 'Talk');
    let notifications = 0;
    stores.records.subscribe(() => {
      notifications += 1;
    });
    const first = await stores.search.catchUp();
    expect(first.remaining).toBeGreaterThan(0);
    const secondPass = await stores.search.catchUp();
    expect(secondPass.total).toBe(first.total);
    expect(secondPass.remaining).toBeLessThan(first.remaining);
    await completeIndex(stores);
    expect(await stores.search.catchUp()).toEqual({ remaining: 0, total: 0 });
    expect(notifications).toBe(0);
  });

  it('indexes records created before the migration', async () => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database, 4);
    await database.query(
      `insert into record (id, uid, create_date, update_date, title, results_task)
       values ('old', '${uid}', 'd', 'd', 'From before', 't')`,
    );
    await database.query('insert into paragraph values (?, ?, ?, ?, ?, null, 0)', [
      ...['t', 0, 'old', 'p0', JSON.stringify(createParagraph('said before', 0))],
    ]);
    await migrate(database);
    const stores = createStores(database);
    expect(await searchIds(stores, 'from said')).toEqual(['old']);
  });

  it.each([
    ['speakers', 7, `speakers = '{"A":"Miriam"}'`],
    ['notes', 20, `notes = '[{"id":"n","time":0,"text":"Miriam"}]'`],
    ['markers', 20, `markers = '[{"id":"m","time":0,"label":"Miriam"}]'`],
  ])('indexes %s that existed before migration %i', async (_, version, assignment) => {
    const database = await openNodeSqlite(':memory:');
    await migrate(database, version - 1);
    await database.query(
      `insert into record (id, uid, create_date, update_date) values ('old', '${uid}', 'd', 'd')`,
    );
    // Simulate a complete index.
    await database.query('delete from search_stale');
    await database.query(`update record set ${assignment}`);
    await migrate(database);
    expect(await searchIds(createStores(database), 'miriam')).toEqual(['old']);
  });
});

describe('searching random recordings', () => {
  const letters = [...'aÁbc会议室كِكىأ👍й"*% \n'];
  const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 10 });
  const query = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 5 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('rename' as const), nth: fc.nat(3), text }),
    fc.record({ kind: fc.constant('tag' as const), nth: fc.nat(3), text }),
    fc.record({ kind: fc.constant('speaker' as const), nth: fc.nat(3), text }),
    fc.record({ kind: fc.constant('note' as const), nth: fc.nat(3), text }),
    fc.record({ kind: fc.constant('marker' as const), nth: fc.nat(3), text }),
    fc.record({ kind: fc.constant('transcribe' as const), nth: fc.nat(3), texts: fc.array(text) }),
    fc.record({ kind: fc.constant('edit' as const), nth: fc.nat(3), at: fc.nat(4), text }),
    fc.record({ kind: fc.constant('bin' as const), nth: fc.nat(3) }),
    fc.record({ kind: fc.constant('delete' as const), nth: fc.nat(3) }),
    fc.record({ kind: fc.constant('catch up' as const) }),
  );

  it('finds the same recordings as a scan', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(query),
        async (steps, queries) => {
          const stores = await openStores();
          const { records, changes, search, database } = stores;
          for (let nth = 0; nth < 4; nth += 1) await addRecording(stores, nth, `Talk ${nth}`);
          for (const [stepIndex, currentStep] of steps.entries()) {
            if (currentStep.kind === 'catch up') {
              await search.catchUp();
              continue;
            }
            const recording = `r${currentStep.nth}`;
            if (currentStep.kind === 'transcribe') {
              const createdAt = {
                created_at: new Date(Date.UTC(2026, 1, 1, stepIndex)).toISOString(),
              };
              await records.storeResults(
                recording,
                createResults(`t${stepIndex}`, currentStep.texts, createdAt),
              );
            } else if (currentStep.kind === 'edit') {
              const which = { recording, paragraph: `p${currentStep.at}` };
              await changes.edit(uid, {
                type: 'paragraph.edit',
                ...which,
                content: currentStep.text,
              });
            } else if (currentStep.kind === 'rename') {
              await changes.edit(uid, {
                type: 'recording.rename',
                recording,
                name: currentStep.text,
              });
            } else if (currentStep.kind === 'tag') {
              await changes.edit(uid, {
                type: 'recording.tag',
                recording,
                tag: currentStep.text,
                on: true,
              });
            } else if (currentStep.kind === 'speaker') {
              const speaker = { speaker: 'A', name: currentStep.text };
              await changes.edit(uid, { type: 'recording.speaker', recording, ...speaker });
            } else if (currentStep.kind === 'note') {
              const value = currentStep.text && { id: 'n', time: 1, text: currentStep.text };
              const edit = { type: 'recording.note', note: 'n', value: value || null } as const;
              await changes.edit(uid, { ...edit, recording });
            } else if (currentStep.kind === 'marker') {
              const value = { id: 'm', time: 1, label: currentStep.text };
              await changes.edit(uid, { type: 'recording.marker', recording, marker: 'm', value });
            } else await changes.edit(uid, { type: `recording.${currentStep.kind}`, recording });
          }
          for (const searchText of queries) {
            const words = foldedWords(searchText);
            const expected: string[] = [];
            for (const record of words.length ? await records.summaries(uid) : []) {
              const detail = await records.detail(record.id);
              const texts = [
                ...[record.title || record.ai_title, detail?.summary ?? ''],
                ...record.tags,
                ...(detail?.keywords ?? []),
                ...Object.values(detail?.speakers ?? {}),
                ...(detail?.notes ?? []).map((note) => note.text),
                ...(detail?.markers ?? []).map((marker) => marker.label),
                ...(detail?.content ?? []).map((paragraph) => paragraph.content),
              ].map(fold);
              if (words.every((word) => texts.some((folded) => folded.includes(word)))) {
                expected.push(record.id);
              }
            }
            expect(await searchIds(stores, searchText)).toEqual(expected);
          }
          await database.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
