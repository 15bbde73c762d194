import { codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribe } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';

let server: TestServer;
let owner: Account;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
});

/** Duration of a slice in seconds and in packets of 20 ms. */
const sliceSeconds = 10;
const slicePackets = 500;

const appending = (flag: string) => ({
  client_flag: flag,
  language: 'en',
  first: 0,
  packets: '',
});

/** Starts a recording with live text. Each text is a slice of ten seconds. @returns its client flag */
async function startRecording(texts: readonly string[], account = owner): Promise<string> {
  const flag = crypto.randomUUID();
  const { code } = await server.call('live/append', appending(flag), { token: account.access });
  expect(code).toBe(codes.ok);
  const { id } = await server.db
    .selectFrom('live_sessions')
    .select('id')
    .where('client_flag', '=', flag)
    .executeTakeFirstOrThrow();
  if (texts.length > 0) {
    await server.db
      .insertInto('live_slices')
      .values(
        texts.map((text, index) => ({
          session_id: id,
          first: index * slicePackets,
          count: slicePackets,
          text,
          sha256: Buffer.alloc(32),
          result: null,
        })),
      )
      .execute();
  }
  return flag;
}

const askLive = (flag: string, question: string, account = owner) =>
  server.call('ask/live', { client_flag: flag, question }, { token: account.access });
const askLiveQuestion = async (flag: string, question: string) =>
  (await askLive(flag, question)).data;
const continueThread = async (thread: string, question: string) =>
  (await server.call('ask/question', { thread_id: thread, question }, { token: owner.access }))
    .data;
const loadThread = (id: string, account = owner) =>
  server.call('ask/thread', { id }, { token: account.access });
const upload = async (flag: string) =>
  (await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav', clientFlag: flag })).id;

describe('a question about a recording in progress', () => {
  it('is answered by passages with synonyms in any language', async () => {
    const flag = await startRecording(['Good morning, everyone.', 'The doctor comes on Friday.']);
    const { answer } = await askLiveQuestion(flag, 'Quand vient le médecin ?');
    expect(answer).toBe('The doctor comes on Friday.');
  });

  it('is answered from the text so far, with the timestamps of the passages', async () => {
    const flag = await startRecording([
      'Good morning, everyone.',
      'The roof of the barn will cost nine thousand.',
      'The garden needs water.',
    ]);
    const { answer, quotes, written } = await askLiveQuestion(flag, 'How much does the roof cost?');
    expect({ answer, written }).toEqual({
      answer: 'The roof of the barn will cost nine thousand.',
      written: false,
    });
    expect(quotes[0]).toMatchObject({
      radio_file_id: '',
      client_flag: flag,
      paragraph_id: '',
      start_time: sliceSeconds,
    });
    expect((await askLiveQuestion(flag, 'Zebras?')).quotes).toEqual([]);
  });

  it('is answered with the timestamp of the first word of a passage', async () => {
    const flag = await startRecording(['Good morning.', 'The roof is red.']);
    const word = { text: 'The', start: 12.34, end: 12.5, confidence: 1 };
    await server.db
      .updateTable('live_slices')
      .set({ result: JSON.stringify({ language: 'en', words: [word] }) })
      .where('text', '=', 'The roof is red.')
      .where('session_id', '=', ({ selectFrom }) =>
        selectFrom('live_sessions').select('id').where('client_flag', '=', flag),
      )
      .execute();
    const { quotes } = await askLiveQuestion(flag, 'Which color is the roof?');
    expect(quotes).toMatchObject([{ text: 'The roof is red.', start_time: 12.34 }]);
  });

  it('has no answer before the first text', async () => {
    const flag = await startRecording([]);
    expect(await askLiveQuestion(flag, 'What about the roof?')).toMatchObject({
      answer: '',
      quotes: [],
    });
  });

  it('is not answered from text that may still change', async () => {
    const flag = await startRecording(['The garden needs water.']);
    const tentative = { start: 10, end: 12, text: 'The roof is red.' };
    await server.db
      .updateTable('live_sessions')
      .set({ tentative: JSON.stringify(tentative) })
      .where('client_flag', '=', flag)
      .execute();
    expect((await askLiveQuestion(flag, 'Which color is the roof?')).quotes).toEqual([]);
  });

  it('can be followed by a question about text recognized since then', async () => {
    const flag = await startRecording(['The roof of the barn will cost nine thousand.']);
    const { thread_id } = await askLiveQuestion(flag, 'What about the roof?');
    await server.db
      .updateTable('live_slices')
      .set({ text: 'The roof is made of slate.' })
      .where('text', '=', 'The roof of the barn will cost nine thousand.')
      .execute();
    const { quotes } = await continueThread(thread_id, 'What is the roof made of?');
    expect(quotes.map(({ text }) => text)).toEqual(['The roof is made of slate.']);
    const { thread, list } = (await loadThread(thread_id)).data;
    expect(thread).toMatchObject({ ids: [], client_flag: flag, count: 2 });
    expect(list[0]?.answer).toBe('The roof of the barn will cost nine thousand.');
  });

  it('is stored only once if the call is retried', async () => {
    const flag = await startRecording(['The roof is red.']);
    const body = { client_flag: flag, question: 'Roof?', question_id: crypto.randomUUID() };
    const first = await server.call('ask/live', body, { token: owner.access });
    const secondResponse = await server.call('ask/live', body, { token: owner.access });
    expect(secondResponse.data).toEqual(first.data);
  });

  it('counts toward the hourly question limit', async () => {
    const flag = await startRecording(['The roof is red.']);
    expect((await askLive(flag, 'Roof?')).code).toBe(codes.ok);
    await server.db
      .updateTable('rate_windows')
      .set({ count: 299 })
      .where('key', 'like', 'ask:%')
      .execute();
    const ask = () => server.call('ask/question', { question: 'Roof?' }, { token: owner.access });
    expect((await ask()).code).toBe(codes.ok);
    expect((await askLive(flag, 'Roof?')).code).toBe(codes.tooManyRequests);
    expect((await ask()).code).toBe(codes.tooManyRequests);
  });

  it('is never answered from the recording of another account', async () => {
    const otherUser = await server.register();
    const flag = await startRecording(['The roof is red.'], otherUser);
    expect(await askLive(flag, 'Which color is the roof?')).toMatchObject({
      code: codes.notFound,
    });
    const theirAnswer = (await askLive(flag, 'Which color is the roof?', otherUser)).data;
    expect(theirAnswer.quotes).toHaveLength(1);
    expect((await loadThread(theirAnswer.thread_id)).code).toBe(codes.notFound);
    // Both accounts use the same client flag.
    await server.call('live/append', appending(flag), { token: owner.access });
    expect((await askLiveQuestion(flag, 'Which color is the roof?')).quotes).toEqual([]);
  });
});

describe('a thread about a recording in progress', () => {
  it('is linked to the recording when it is uploaded, and continues with its transcript', async () => {
    const flag = await startRecording(['The roof of the barn will cost nine thousand.']);
    const { thread_id } = await askLiveQuestion(flag, 'How much does the roof cost?');
    const id = await upload(flag);
    const uploaded = (await loadThread(thread_id)).data;
    expect(uploaded.thread).toEqual(expect.not.objectContaining({ client_flag: flag }));
    expect(uploaded.thread.ids).toEqual([id]);
    expect(uploaded.list[0]?.quotes).toMatchObject([
      { radio_file_id: id, title: 'A recording', paragraph_id: '', start_time: 0 },
    ]);
    const { paragraphs } = await transcribe(server, owner, id, [
      'The roof will cost ten thousand.',
    ]);
    const { quotes } = await continueThread(thread_id, 'And what does the roof cost now?');
    expect(quotes).toMatchObject([{ radio_file_id: id, paragraph_id: paragraphs[0] }]);
  });

  it('hides its quotes while the recording is in the recycle bin', async () => {
    const flag = await startRecording(['The roof is red.']);
    const { thread_id } = await askLiveQuestion(flag, 'Which color is the roof?');
    await upload(flag);
    await createPhone(server, owner).applyOne({ type: 'recording.bin', recording: flag });
    expect((await loadThread(thread_id)).data.list).toMatchObject([{ quotes: [], missing: true }]);
  });

  it.each([false, true])('is erased with the recording (uploaded: %s)', async (isUploaded) => {
    const flag = await startRecording(['The roof is red.']);
    const other = await startRecording(['The roof is red.']);
    const { thread_id } = await askLiveQuestion(flag, 'Which color is the roof?');
    const keptThread = await askLiveQuestion(other, 'Which color is the roof?');
    if (isUploaded) await upload(flag);
    await createPhone(server, owner).applyOne({ type: 'recording.delete', recording: flag });
    expect((await loadThread(thread_id)).code).toBe(codes.notFound);
    expect((await loadThread(keptThread.thread_id)).code).toBe(codes.ok);
    expect((await askLive(flag, 'Which color is the roof?')).code).toBe(codes.notFound);
  });

  it('is erased with the recording while an answer is being stored', async () => {
    const flag = await startRecording(['The roof is red.']);
    const { thread_id } = await askLiveQuestion(flag, 'Which color is the roof?');
    const recordingId = await upload(flag);
    const locked = Promise.withResolvers<void>();
    const erasing = Promise.withResolvers<void>();
    const storing = server.db.transaction().execute(async (trx) => {
      const { id } = await trx
        .updateTable('questions')
        .set({ is_writing: false })
        .where('thread_id', '=', thread_id)
        .returning('id')
        .executeTakeFirstOrThrow();
      locked.resolve();
      await erasing.promise;
      await trx
        .insertInto('question_sentences')
        .values({
          question_id: id,
          position: 0,
          content: 'Red.',
          recording_id: recordingId,
          source: 0,
        })
        .execute();
    });
    await locked.promise;
    const erased = createPhone(server, owner).applyOne({
      type: 'recording.delete',
      recording: flag,
    });
    await vi.waitUntil(
      async () => {
        const { rows } = await sql`select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
        return rows.length > 0;
      },
      { timeout: 60_000 },
    );
    erasing.resolve();
    await Promise.all([storing, erased]);
    expect((await loadThread(thread_id)).code).toBe(codes.notFound);
  });
});
