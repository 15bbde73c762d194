import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribe, transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { indexPassagesJob } from '../../jobs/index-passages.ts';
import { createPassageIndex } from '../../retrieval/passage-index.ts';
import { hashTerm } from '../../retrieval/terms.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

/** Creates a transcribed recording. @returns its ID */
async function addRecording(
  texts: readonly string[],
  { recordedAt, speakers }: { recordedAt?: string; speakers?: readonly string[] } = {},
) {
  const details = { ext: 'wav' as const, ...(recordedAt && { recordedAt }) };
  const { id, client_flag } = await uploadRecording(server, owner, toneWave(3, 8000), details);
  const { taskId, paragraphs } = await transcribe(server, owner, id, texts, speakers);
  return { id, flag: client_flag, taskId, paragraphs };
}
const ask = async (question: string, body: object = {}, account = owner) =>
  (await server.call('ask/question', { question, ...body }, { token: account.access })).data;
const getTexts = ({ quotes }: { quotes: readonly { text: string }[] }) =>
  quotes.map(({ text }) => text);
const passages = (accountId = owner.id) =>
  server.db.selectFrom('passages').selectAll().where('account_id', '=', accountId).execute();

describe('a question', () => {
  it('is answered with matching paragraphs, best first, each with its position', async () => {
    const roof = await addRecording([
      'Good morning.',
      'The roof of the barn will cost nine thousand.',
      'That is a lot.',
    ]);
    await addRecording(['The garden needs water.', 'Roses cost nothing.']);
    const { quotes, answer, written } = await ask('How much does the roof of the barn cost?');
    expect(quotes[0]).toMatchObject({
      radio_file_id: roof.id,
      paragraph_id: roof.paragraphs[1],
      start_time: 1,
      text: 'The roof of the barn will cost nine thousand.',
    });
    expect({ answer, written }).toEqual({ answer: quotes[0]?.text, written: false });
  });

  it('is answered from archived recordings too', async () => {
    const roof = await addRecording(['The roof of the barn will cost nine thousand.']);
    const edit = { type: 'recording.archive', recording: roof.flag, on: true };
    await createPhone(server, owner).applyOne(edit);
    const { quotes } = await ask('How much does the roof of the barn cost?');
    expect(quotes).toMatchObject([{ radio_file_id: roof.id }]);
  });

  it('is answered with the paragraph that follows a similar question', async () => {
    await addRecording([
      'Who takes the barn keys tonight?',
      'Me, as always.',
      'The garden is dry.',
    ]);
    expect(getTexts(await ask('Who takes the barn keys tonight?'))[0]).toBe('Me, as always.');
  });

  it('has no answer if no recording contains its words', async () => {
    await addRecording(['The roof will cost nine thousand.']);
    expect(await ask('Zebras?')).toMatchObject({ quotes: [], answer: '', indexing: false });
  });

  it('is answered first by paragraphs from the period that it mentions', async () => {
    const sentence = 'Anna will order the tiles for the roof.';
    await addRecording([`In May: ${sentence}`], { recordedAt: '2026-05-04T10:00:00Z' });
    await addRecording([`In March: ${sentence}`], { recordedAt: '2026-03-04T10:00:00Z' });
    await addRecording([`In July: ${sentence}`], { recordedAt: '2026-07-04T10:00:00Z' });
    const [first] = getTexts(await ask('Who orders the tiles in March 2026?'));
    expect(first).toMatch(/^In March/);
  });

  it('is answered first by paragraphs of the speaker that it mentions, even after a rename', async () => {
    const { flag } = await addRecording(
      ['I will bring the ladder.', 'I will bring the ladder, too.'],
      {
        speakers: ['A', 'B'],
      },
    );
    const phone = createPhone(server, owner);
    const rename = (speaker: string, name: string) =>
      phone.applyOne({ type: 'recording.speaker', recording: flag, speaker, name });
    await rename('A', 'Zoë');
    await rename('B', 'Anna');
    const question = 'Did Anna promise to bring the ladder?';
    expect((await ask(question)).quotes[0]).toMatchObject({ speaker: 'Anna', start_time: 1 });
    await rename('A', 'Anna');
    await rename('B', 'Zoë');
    expect((await ask(question)).quotes[0]).toMatchObject({ speaker: 'Anna', start_time: 0 });
  });

  it('is limited to the given recordings', async () => {
    await addRecording(['The roof will cost nine thousand.']);
    const other = await addRecording(['The roof is red.']);
    const { quotes } = await ask('What about the roof?', { ids: [other.id] });
    expect(quotes.map(({ radio_file_id: id }) => id)).toEqual([other.id]);
  });

  it('is never answered from the recordings of another account', async () => {
    const otherUser = await server.register();
    const { secret } = await transcribedRecording(server, otherUser);
    await addRecording(['The roof will cost nine thousand.']);
    expect((await ask(`Who heard of ${secret}?`, {}, otherUser)).quotes).not.toEqual([]);
    // Not even with the account's own hash, which no passage of another account has.
    await server.db
      .updateTable('passages')
      .set({ terms: sql`terms || ${hashTerm(owner.id, secret.slice(0, 5))}::bigint` })
      .where('account_id', '=', otherUser.id)
      .execute();
    expect((await ask(`Who heard of ${secret}?`)).quotes).toEqual([]);
  });

  it('is answered by paragraphs with synonyms in any language, but first by paragraphs with its own words', async () => {
    const english = 'The doctor comes on Friday.';
    await addRecording(['The garden needs water.', english, 'That is a lot.']);
    expect(getTexts(await ask('Quand vient le médecin ?'))[0]).toBe(english);
    const physician = 'The physician comes on Monday.';
    await addRecording(['The garden needs water.', physician, 'That is a lot.']);
    const found = getTexts(await ask('When does the physician come?'));
    expect(found.slice(0, 2)).toEqual([physician, english]);
  });

  it('prefers paragraphs in its own language, even if the rest of the transcript is in another', async () => {
    const { paragraphs } = await addRecording(['Le taxi est orange.', 'Le taxi est orange.']);
    await server.db
      .updateTable('paragraphs')
      .set({ language: 'fr' })
      .where('id', '=', paragraphs[1] ?? '')
      .execute();
    const { quotes } = await ask('Est-ce que le taxi est orange ?');
    expect(quotes.map(({ start_time }) => start_time)).toEqual([1, 0]);
  });

  it('is answered from edits and new transcripts, but not from the text they replaced', async () => {
    const { id, flag, paragraphs } = await addRecording(['The roof is red.', 'The end.']);
    expect(getTexts(await ask('Which color is the roof?'))[0]).toBe('The roof is red.');
    await createPhone(server, owner).applyOne({
      type: 'paragraph.edit',
      recording: flag,
      paragraph: paragraphs[0] ?? '',
      content: 'The chimney is green.',
    });
    expect(getTexts(await ask('Which color is the chimney?'))[0]).toBe('The chimney is green.');
    expect((await ask('roof')).quotes).toEqual([]);
    await transcribe(server, owner, id, ['The cellar is blue.']);
    expect(getTexts(await ask('Which color is the cellar?'))[0]).toBe('The cellar is blue.');
    expect((await ask('chimney')).quotes).toEqual([]);
  });

  it('is not answered from the recycle bin, and passages are erased with their recording', async () => {
    const { id } = await addRecording(['The roof is red.']);
    const token = { token: owner.access };
    const { thread_id } = await ask('Which color is the roof?');
    await server.call('radio/delete', { id }, token);
    expect((await ask('Which color is the roof?')).quotes).toEqual([]);
    const { data } = await server.call('ask/thread', { id: thread_id }, token);
    expect(data.list[0]).toMatchObject({ quotes: [], answer: '', missing: true });
    await server.call('radio/batchDelete', { ids: [id] }, token);
    expect(await passages()).toEqual([]);
    const quotes = server.db.selectFrom('question_quotes').selectAll();
    expect(await quotes.where('recording_id', '=', id).execute()).toEqual([]);
  });

  it('is answered despite many recordings in the recycle bin', async () => {
    const keptRecording = await addRecording(['The roof is red.', 'The end.']);
    for (let count = 0; count < 13; count += 1) {
      const { id } = await addRecording(['The roof is red.']);
      await server.call('radio/delete', { id }, { token: owner.access });
    }
    const { quotes } = await ask('Is the roof red?');
    expect(new Set(quotes.map(({ radio_file_id: id }) => id))).toEqual(new Set([keptRecording.id]));
  });

  it('may mention a year as its subject', async () => {
    await addRecording(['The budget for 2025 is ten thousand.'], {
      recordedAt: '2024-11-04T10:00:00Z',
    });
    await addRecording(['The budget meeting is over.'], { recordedAt: '2025-11-04T10:00:00Z' });
    expect(getTexts(await ask('How much is the budget for 2025?'))).toContain(
      'The budget for 2025 is ten thousand.',
    );
  });

  it('is stored only once with the same ID', async () => {
    await addRecording(['The roof is red.']);
    const body = { question_id: crypto.randomUUID() };
    const first = await ask('Is the roof red?', body);
    expect(await ask('Is the roof red?', body)).toEqual(first);
    const { data } = await server.call('ask/index', {}, { token: owner.access });
    expect(data.list).toMatchObject([{ id: first.thread_id, count: 1 }]);
  });

  it('may contain any text', async () => {
    await addRecording(['The roof is red.']);
    for (const question of ["'; drop table passages; --", '???', 'a & b | !c', '%_\\', '🦉']) {
      expect(await ask(question)).toMatchObject({ indexing: false });
    }
  });
});

describe('a thread', () => {
  it('takes the words of the previous question into account', async () => {
    await addRecording(['In the kitchen, the paint is white.', 'The hall has green paint.']);
    const { thread_id } = await ask('Which paint is in the kitchen?');
    const next = await ask('And in the hall?', { thread_id });
    expect(next.thread_id).toBe(thread_id);
    expect(getTexts(next)[0]).toBe('The hall has green paint.');
    const { data } = await server.call('ask/thread', { id: thread_id }, { token: owner.access });
    expect(data.list.map(({ question }) => question)).toEqual([
      'Which paint is in the kitchen?',
      'And in the hall?',
    ]);
    expect(data.thread).toMatchObject({ question: 'Which paint is in the kitchen?', count: 2 });
  });

  it('stays limited to its recordings', async () => {
    const first = await addRecording(['The roof is red.']);
    await addRecording(['The other roof is blue.']);
    const { thread_id } = await ask('Which color is the roof?', { ids: [first.id] });
    expect(getTexts(await ask('The roof?', { thread_id }))).toEqual(['The roof is red.']);
  });

  it('rejects questions beyond its limit without losing any', async () => {
    const { thread_id } = await ask('Why?');
    await server.db
      .insertInto('questions')
      .values(
        Array.from({ length: limits.ask.questions - 1 }, () => ({
          id: crypto.randomUUID(),
          thread_id,
          question: 'Why?',
          quoted: 0,
        })),
      )
      .execute();
    const fullResponse = await server.call(
      'ask/question',
      { question: 'Why?', thread_id },
      { token: owner.access },
    );
    expect(fullResponse).toMatchObject({
      code: codes.badRequest,
      msg: expect.stringMatching(/new thread/),
    });
    const { data } = await server.call('ask/thread', { id: thread_id }, { token: owner.access });
    expect(data.list).toHaveLength(limits.ask.questions);
  });

  it('is deleted with its questions, and the oldest is deleted when the limit is exceeded', async () => {
    const token = { token: owner.access };
    const { thread_id: oldest } = await ask('Why?');
    await server.db
      .insertInto('question_threads')
      .values(
        Array.from({ length: limits.ask.threads - 1 }, () => ({
          id: crypto.randomUUID(),
          account_id: owner.id,
          recording_ids: '[]',
          updated_at: new Date('2100-01-01'),
        })),
      )
      .execute();
    const { thread_id: newest } = await ask('Who?');
    expect(await server.call('ask/thread', { id: oldest }, token)).toMatchObject({
      code: codes.notFound,
    });
    expect(await server.call('ask/delete', { id: newest }, token)).toMatchObject({ code: 0 });
    const remainingQuestions = server.db.selectFrom('questions').select('id');
    expect(await remainingQuestions.where('thread_id', 'in', [oldest, newest]).execute()).toEqual(
      [],
    );
  });
});

describe('the passage index', () => {
  it('is built in pages, and stops at its deadline', async () => {
    for (let count = 0; count < 3; count += 1) await addRecording(['The roof is red.']);
    const index = createPassageIndex(server.db, { pageRows: 1 });
    expect(await index.update(owner.id, 0)).toBe(false);
    const partly = await passages();
    expect(await index.update(owner.id, Number.POSITIVE_INFINITY)).toBe(true);
    const all = await passages();
    expect(partly.length).toBeLessThan(all.length);
    // One passage for each paragraph, and one for each recording.
    expect(all).toHaveLength(6);
  });

  it('lists the accounts with changes', async () => {
    const index = createPassageIndex(server.db);
    await addRecording(['The roof is red.']);
    expect(await index.outdatedAccounts(10_000)).toContain(owner.id);
    await index.update(owner.id, Number.POSITIVE_INFINITY);
    expect(await index.outdatedAccounts(10_000)).not.toContain(owner.id);
  });

  it('is built by a job, even if one account fails', async () => {
    await addRecording(['The roof is red.']);
    const index = createPassageIndex(server.db);
    const failing = crypto.randomUUID();
    const errors: unknown[] = [];
    await indexPassagesJob(
      {
        ...index,
        outdatedAccounts: async () => [failing, owner.id],
        update: async (id, deadline) => {
          if (id === failing) throw new Error('no such account');
          return index.update(id, deadline);
        },
      },
      { error: (error: unknown) => void errors.push(error) },
    )({}, new AbortController().signal);
    expect(errors).toMatchObject([{ accountId: failing }]);
    expect(await passages()).toHaveLength(2);
  });

  it('rewrites only the passages of changed paragraphs', async () => {
    const { flag, paragraphs } = await addRecording(['The roof is red.', 'The end.']);
    const index = createPassageIndex(server.db);
    const update = () => index.update(owner.id, Number.POSITIVE_INFINITY);
    const versions = async () => {
      const { rows } = await sql<{ ordinal: number; version: string }>`
        select ordinal, xmin::text as version from passages
        where account_id = ${owner.id} order by ordinal`.execute(server.db);
      return rows.map(({ version }) => version);
    };
    await update();
    const before = await versions();
    const phone = createPhone(server, owner);
    await phone.applyOne({ type: 'recording.tag', recording: flag, tag: 'house', on: true });
    await phone.applyOne({
      type: 'paragraph.edit',
      recording: flag,
      paragraph: paragraphs[1] ?? '',
      content: 'The chimney is green.',
    });
    await update();
    const after = await versions();
    expect(after.map((version, ordinal) => version === before[ordinal])).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('is rebuilt in the current format, and searched meanwhile', async () => {
    await addRecording(['The doctor comes on Friday.', 'The end.']);
    const index = createPassageIndex(server.db);
    const update = () => index.update(owner.id, Number.POSITIVE_INFINITY);
    await update();
    const read = async () => (await passages()).sort((a, b) => a.ordinal - b.ordinal);
    const current = await read();
    const hashes = ['the', 'docto', 'comes', 'frida'].map((term) => hashTerm(owner.id, term));
    await server.db
      .updateTable('passages')
      .set({ terms: hashes, length: null, format: 1, digest: 'of an older version' })
      .where('account_id', '=', owner.id)
      .execute();
    expect(getTexts(await ask('When does the doctor come?'))).not.toEqual([]);
    expect(await read()).not.toEqual(current);
    expect(await index.outdatedAccounts(10_000)).toContain(owner.id);
    await index.rebuild(owner.id, Number.POSITIVE_INFINITY);
    expect(await read()).toEqual(current);
    expect(await index.outdatedAccounts(10_000)).not.toContain(owner.id);
  });

  it('is the same if two processes build it concurrently', async () => {
    await addRecording(['The roof is red.', 'The end.']);
    const indexes = [createPassageIndex(server.db), createPassageIndex(server.db)];
    await Promise.all(indexes.map((each) => each.update(owner.id, Number.POSITIVE_INFINITY)));
    expect((await passages()).map(({ ordinal }) => ordinal).sort()).toEqual([-1, 0, 1]);
  });
});
