import type { Answer } from '@linnet/contract';
import { createClient } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { isDel } from '@linnet/sync';
import { describe, expect, it, vi } from 'vitest';
import type { Conversation, ConversationState } from '../../ports/questions.ts';
import { createQuestions } from './questions.ts';

const uid = 'owner';

/** Returns a stored answer with or without a quote. */
const answerTo = (question: string, text = ''): Answer => ({
  id: `answer to ${question}`,
  thread_id: 'thread',
  question,
  asked_at: '2026-03-01T10:00:00.000Z',
  answer: text,
  written: false,
  missing: false,
  writing: false,
  sentences: [],
  quotes:
    text === ''
      ? []
      : [
          {
            radio_file_id: 'on the server',
            title: 'Talk',
            recorded_at: '2026-02-01T10:00:00.000Z',
            paragraph_id: 'p1',
            start_time: 12.5,
            text,
            speaker: 'Anna',
          },
        ],
});

type Response = { readonly data: unknown } | { readonly code: number } | 'no network';

/** Creates the service with a server whose next responses are queued with `respond`. */
async function setUp() {
  const database = await openNodeSqlite(':memory:');
  await migrate(database);
  const { records, changes } = createStores(database);
  const requests: { path: string; body: object }[] = [];
  const responses: Promise<Response>[] = [];
  const account = { uid: uid as string | null };
  const waits: { readonly ms: number; end(): void }[] = [];
  const client = createClient({
    baseUrl: 'http://server.test',
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      requests.push({ path: pathname.split('/api')[1] ?? '', body: JSON.parse(`${init?.body}`) });
      const next = await responses.shift();
      if (!next || next === 'no network') throw new TypeError('no network');
      const envelope = 'code' in next ? { code: next.code, data: null } : { code: 0, ...next };
      return new Response(JSON.stringify({ msg: '', ...envelope }));
    },
  });
  const service = createQuestions({
    client,
    records,
    uid: () => account.uid,
    watch: records.subscribe,
    wait: (ms) => new Promise((end) => waits.push({ ms, end })),
    onError: (error) => {
      throw error;
    },
  });
  return {
    ...{ service, records, changes, requests, account, waits },
    /** Ends the next wait between requests. Returns its length in milliseconds. */
    endWait: async () => {
      const next = await vi.waitUntil(() => waits.shift(), { interval: 1 });
      next.end();
      return next.ms;
    },
    respond: (...queued: (Response | Promise<Response>)[]) =>
      responses.push(...queued.map((each) => Promise.resolve(each))),
  };
}

type OpenConversation = Extract<ConversationState, { status: 'open' }>;
function openState(conversation: Conversation): OpenConversation {
  const state = conversation.state.get();
  if (state.status !== 'open') throw new Error(`the conversation is ${state.status}`);
  return state;
}

const isUuid = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);

describe('a new conversation', () => {
  it('asks about the recordings, and continues the thread with the next question', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open({ kind: 'new', recordings: ['on the server'] });
    await conversation.load();
    expect(requests).toEqual([]);
    respond({ data: { ...answerTo('When?', 'On Friday.'), indexing: true } });
    expect(await conversation.ask('When?')).toBe(true);
    respond({ data: { ...answerTo('And in April?'), indexing: false } });
    expect(await conversation.ask('And in April?')).toBe(true);
    const always = { wait: 2, question_id: isUuid };
    expect(requests).toEqual([
      { path: '/ask/question', body: { question: 'When?', ids: ['on the server'], ...always } },
      {
        path: '/ask/question',
        body: { question: 'And in April?', thread_id: 'thread', ...always },
      },
    ]);
    const { thread, answers, asking } = openState(conversation);
    expect(thread).toBe('thread');
    expect(asking).toEqual({ status: 'idle' });
    expect(answers.map(({ question, indexing }) => [question, indexing])).toEqual([
      ['When?', true],
      ['And in April?', false],
    ]);
  });

  it('sends a question with the same ID until it is answered', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open({ kind: 'new', recordings: [] });
    const answered = { data: { ...answerTo('When?', 'On Friday.'), indexing: false } };
    respond('no network', 'no network', 'no network', answered, answered);
    for (const question of ['When?', 'When?', 'Where?', 'When?', 'When?'])
      await conversation.ask(question);
    const ids = requests.map(({ body }) => 'question_id' in body && body.question_id);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
    // The server returned the answer that it had stored.
    expect(openState(conversation).answers).toHaveLength(1);
  });

  it('shows the pending question, and accepts no other question until it is answered', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open({ kind: 'new', recordings: [] });
    const response = Promise.withResolvers<Response>();
    respond(response.promise);
    const answered = conversation.ask('When?');
    expect(openState(conversation).asking).toEqual({ status: 'asking', question: 'When?' });
    expect(await conversation.ask('Where?')).toBe(false);
    response.resolve({ data: { ...answerTo('When?'), indexing: false } });
    expect(await answered).toBe(true);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['no network', { kind: 'network' }],
    [{ code: codes.unknownCall }, { kind: 'server', code: codes.unknownCall }],
    [{ code: codes.tooManyRequests }, { kind: 'server', code: codes.tooManyRequests }],
    [{ code: codes.notFound }, { kind: 'server', code: codes.notFound }],
  ] as const)(
    'keeps the question that failed with %j, and the answers',
    async (response, failure) => {
      const { service, respond } = await setUp();
      const conversation = service.open({ kind: 'new', recordings: [] });
      respond(response);
      expect(await conversation.ask('When?')).toBe(false);
      expect(openState(conversation).asking).toMatchObject({
        status: 'failed',
        question: 'When?',
        failure,
      });
      respond({ data: { ...answerTo('When?', 'On Friday.'), indexing: false } });
      expect(await conversation.ask('When?')).toBe(true);
      expect(openState(conversation)).toMatchObject({
        asking: { status: 'idle' },
        thread: 'thread',
      });
    },
  );
});

const thread = { id: 'thread', ids: ['on the server'], question: 'When?', count: 1 };
const stored = { ...thread, updated_at: '2026-03-01T10:00:00.000Z' };
const start = { kind: 'thread', id: 'thread' } as const;

describe('a stored thread', () => {
  it('is loaded, and reloaded after a failure', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open(start);
    respond('no network');
    await conversation.load();
    expect(conversation.state.get()).toMatchObject({ status: 'failed' });
    expect(await conversation.ask('And in April?')).toBe(false);
    respond({ data: { thread: stored, list: [answerTo('When?', 'On Friday.')] } });
    await Promise.all([conversation.load(), conversation.load()]);
    expect(requests).toHaveLength(2);
    expect(openState(conversation)).toMatchObject({
      thread: 'thread',
      recordings: ['on the server'],
      answers: [{ question: 'When?', indexing: false }],
    });
  });

  it('shows questions from other devices after a reload, and keeps its questions if the reload fails', async () => {
    const { service, respond } = await setUp();
    const conversation = service.open({ kind: 'new', recordings: [] });
    const first = answerTo('When?', 'On Friday.');
    respond({ data: { ...first, indexing: true } });
    await conversation.ask('When?');
    const before = openState(conversation);
    respond('no network', { data: { thread: stored, list: [first] } });
    const loading = conversation.load();
    expect(openState(conversation)).toBe(before);
    await loading;
    expect(openState(conversation)).toBe(before);
    await conversation.load();
    expect(openState(conversation)).toBe(before);
    respond({ data: { thread: stored, list: [first, answerTo('Where?')] } });
    await conversation.load();
    expect(openState(conversation)).toMatchObject({
      answers: [
        { question: 'When?', indexing: true },
        { question: 'Where?', indexing: false },
      ],
    });
    respond({ code: codes.notFound });
    await conversation.load();
    expect(conversation.state.get()).toEqual({ status: 'deleted' });
  });

  it('is not replaced by a response that predates an answer', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open(start);
    const first = answerTo('When?', 'On Friday.');
    respond({ data: { thread: stored, list: [first] } });
    await conversation.load();
    const [older, response] = [
      Promise.withResolvers<Response>(),
      Promise.withResolvers<Response>(),
    ];
    respond(older.promise, response.promise);
    const loading = conversation.load();
    const answered = conversation.ask('Where?');
    await conversation.load();
    expect(requests).toHaveLength(3);
    response.resolve({ data: { ...answerTo('Where?'), indexing: false } });
    await answered;
    older.resolve({ data: { thread: stored, list: [first] } });
    await loading;
    expect(openState(conversation).answers).toMatchObject([
      { question: 'When?' },
      { question: 'Where?' },
    ]);
  });

  it('shows its questions if another device has used up its question limit', async () => {
    const { service, respond } = await setUp();
    const conversation = service.open(start);
    respond({ data: { thread: stored, list: [answerTo('When?')] } });
    await conversation.load();
    const badRequest = { code: codes.badRequest };
    respond(badRequest, 'no network');
    expect(await conversation.ask('Where?')).toBe(false);
    expect(openState(conversation)).toMatchObject({
      asking: { status: 'failed', question: 'Where?' },
      answers: [{ question: 'When?' }],
    });
    const list = Array.from({ length: limits.ask.questions }, (_, index) => answerTo(`${index}?`));
    respond(badRequest, { data: { thread: stored, list } });
    expect(await conversation.ask('Where?')).toBe(false);
    const { asking, answers } = openState(conversation);
    expect(asking).toEqual({ status: 'idle' });
    expect(answers).toHaveLength(limits.ask.questions);
  });

  it('is reported as deleted if another device deleted it, even when a question is asked', async () => {
    const { service, respond } = await setUp();
    const conversation = service.open(start);
    respond({ code: codes.notFound });
    await conversation.load();
    expect(conversation.state.get()).toEqual({ status: 'deleted' });
    const other = service.open(start);
    respond({ data: { thread: stored, list: [] } }, { code: codes.notFound });
    await other.load();
    expect(await other.ask('And in April?')).toBe(false);
    expect(other.state.get()).toEqual({ status: 'deleted' });
  });

  it('is the same object when reopened, until the account or conversation changes or it is deleted', async () => {
    const { service, respond, account } = await setUp();
    const open = async () => {
      const conversation = service.open({ kind: 'new', recordings: [] });
      respond({ data: { ...answerTo('When?'), indexing: false } });
      await conversation.ask('When?');
      expect(service.open(start)).toBe(conversation);
      return conversation;
    };
    const first = await open();
    account.uid = 'another';
    expect(service.open(start)).not.toBe(first);
    const second = await open();
    service.open({ kind: 'new', recordings: [] });
    expect(service.open(start)).not.toBe(second);
    const thirdConversation = await open();
    respond({ data: {} });
    await service.remove('thread');
    expect(service.open(start)).not.toBe(thirdConversation);
  });

  it('can be deleted, even if it was already deleted', async () => {
    const { service, requests, respond } = await setUp();
    respond({ data: {} }, { code: codes.notFound }, { code: codes.tooManyRequests });
    expect(await service.remove('thread')).toEqual({ ok: true, data: null });
    expect(await service.remove('thread')).toEqual({ ok: true, data: null });
    expect(await service.remove('thread')).toMatchObject({ ok: false });
    expect(requests[0]).toEqual({ path: '/ask/delete', body: { id: 'thread' } });
  });
});

describe('an answer that a language model is writing', () => {
  const quoted = answerTo('When?', 'On Friday.');
  const writing = { ...quoted, writing: true };
  const written = { ...quoted, answer: 'It is on Friday.', written: true };
  const unwritten = { data: { thread: stored, list: [writing] } };
  const finished = { data: { thread: stored, list: [written] } };

  /** Opens a conversation with a subscriber, and asks a question whose answer is being written. */
  async function setUpWriting() {
    const all = await setUp();
    const conversation = all.service.open({ kind: 'new', recordings: [] });
    const stop = conversation.state.subscribe(() => {});
    all.respond({ data: { ...writing, indexing: true } });
    await conversation.ask('When?');
    return { ...all, conversation, stop };
  }
  /** Waits until pending promises have settled. */
  const settle = () => new Promise((resolve) => setTimeout(resolve));

  it('is replaced once it is complete, with growing polling intervals', async () => {
    const { conversation, requests, respond, endWait, waits } = await setUpWriting();
    expect(openState(conversation).answers).toMatchObject([{ writing: true }]);
    respond(unwritten, 'no network', finished);
    expect([await endWait(), await endWait(), await endWait()]).toEqual([1000, 1250, 1562.5]);
    await vi.waitFor(() =>
      expect(openState(conversation).answers).toEqual([{ ...written, indexing: true }]),
    );
    const threads = Array.from({ length: 3 }, () => '/ask/thread');
    expect(requests.map(({ path }) => path)).toEqual(['/ask/question', ...threads]);
    await settle();
    expect(waits).toEqual([]);
  });

  it('grows sentence by sentence, and each sentence resets the polling interval', async () => {
    const { conversation, respond, endWait } = await setUpWriting();
    const sentences = ['It is on Friday.', 'The quote is due.'].map((text) => ({
      text,
      source: 0,
    }));
    const partialAnswer = { ...written, writing: true, sentences: sentences.slice(0, 1) };
    respond(unwritten, { data: { thread: stored, list: [partialAnswer] } });
    expect([await endWait(), await endWait()]).toEqual([1000, 1250]);
    await vi.waitFor(() => expect(openState(conversation).answers).toMatchObject([partialAnswer]));
    const shown = openState(conversation).answers;
    respond({ data: { thread: stored, list: [partialAnswer] } });
    expect(await endWait()).toBe(1000);
    await settle();
    expect(openState(conversation).answers).toBe(shown);
    const completeAnswer = { ...written, answer: 'It is on Friday. The quote is due.', sentences };
    respond({ data: { thread: stored, list: [completeAnswer] } });
    expect(await endWait()).toBe(1250);
    await vi.waitFor(() => expect(openState(conversation).answers).toMatchObject([completeAnswer]));
  });

  it.each(['answered', 'no network'] as const)(
    'stays complete if it was completed while another question was being asked (%s)',
    async (outcome) => {
      const { conversation, respond, endWait } = await setUpWriting();
      const response = Promise.withResolvers<Response>();
      respond(response.promise, finished);
      const answering = conversation.ask('Where?');
      await endWait();
      await vi.waitFor(() => expect(openState(conversation).answers).toMatchObject([written]));
      response.resolve(
        outcome === 'answered' ? { data: { ...answerTo('Where?'), indexing: false } } : outcome,
      );
      await answering;
      expect(openState(conversation).answers[0]).toMatchObject(written);
    },
  );

  it('is polled together with other unfinished answers', async () => {
    const { conversation, requests, respond, endWait } = await setUpWriting();
    const secondAnswer = { ...answerTo('Where?', 'At home.'), writing: true };
    respond({ data: { ...secondAnswer, indexing: false } });
    await conversation.ask('Where?');
    respond({ data: { thread: stored, list: [written, { ...secondAnswer, writing: false }] } });
    // The first wait was for the first question alone.
    expect([await endWait(), await endWait()]).toEqual([1000, 1000]);
    await vi.waitFor(() =>
      expect(openState(conversation).answers).toMatchObject([
        { written: true, writing: false },
        { written: false, writing: false },
      ]),
    );
    expect(requests).toHaveLength(3);
  });

  it('shows its quotes if it is still unfinished after half an hour', async () => {
    const { conversation, requests, waits } = await setUpWriting();
    const nextWait = () =>
      vi.waitUntil(
        () =>
          waits.shift() ??
          (openState(conversation).answers[0]?.writing ? null : ('finished' as const)),
        { interval: 1 },
      );
    let waitedMs = 0;
    let longestMs = 0;
    for (let next = await nextWait(); next !== 'finished'; next = await nextWait()) {
      next.end();
      waitedMs += next.ms;
      longestMs = Math.max(longestMs, next.ms);
    }
    expect(openState(conversation).answers).toEqual([{ ...quoted, indexing: true }]);
    expect(longestMs).toBe(15_000);
    expect(waitedMs).toBeGreaterThanOrEqual(1_800_000);
    expect(waitedMs).toBeLessThan(1_820_000);
    expect(requests.length).toBeLessThan(150);
  });

  it('is no longer polled after the thread was deleted', async () => {
    const { conversation, respond, endWait, waits } = await setUpWriting();
    respond({ code: codes.notFound });
    await endWait();
    await vi.waitFor(() => expect(conversation.state.get()).toEqual({ status: 'deleted' }));
    await settle();
    expect(waits).toEqual([]);
  });

  it.each([null, 'another'])('is not requested for another account (%s)', async (other) => {
    const { conversation, requests, account, endWait, waits } = await setUpWriting();
    account.uid = other;
    await endWait();
    await settle();
    expect(requests).toHaveLength(1);
    expect(waits).toEqual([]);
    expect(openState(conversation).answers).toMatchObject([{ writing: true }]);
  });

  it('is polled only while the conversation is shown', async () => {
    const { conversation, requests, respond, endWait, waits, stop } = await setUpWriting();
    stop();
    await endWait();
    await settle();
    expect(requests).toHaveLength(1);
    expect(waits).toEqual([]);
    respond(finished);
    const stopAgain = conversation.state.subscribe(() => {});
    await endWait();
    await vi.waitFor(() => expect(openState(conversation).answers).toMatchObject([written]));
    stopAgain();
  });

  it('is polled again when the thread is loaded', async () => {
    const { service, respond, endWait } = await setUp();
    const conversation = service.open(start);
    conversation.state.subscribe(() => {});
    respond(unwritten, finished);
    await conversation.load();
    expect(openState(conversation).answers).toMatchObject([{ writing: true }]);
    await endWait();
    await vi.waitFor(() => expect(openState(conversation).answers).toMatchObject([written]));
  });
});

it("looks up this device's recordings by server ID, and updates them after changes", async () => {
  const { service, records, changes } = await setUp();
  const file = { sha256: 'ab'.repeat(32), bytes: 1, seconds: 1, localfile: 'x.wav' };
  const audio = { ...file, peaks: new Uint8Array() };
  const createDate = '2026-01-01T00:00:00.000Z';
  await records.add({ id: 'here', uid, title: 'Talk', createDate, audio });
  const live = service.recordings(['on the server', 'absent']);
  const stop = live.subscribe(() => {});
  const expectNamed = (expected: object) =>
    vi.waitFor(() => {
      const state = live.get();
      if (state.status !== 'ready') throw new Error('not yet');
      expect([...state.value]).toEqual(Object.entries(expected));
    });
  await expectNamed({});
  await records.update('here', { server_id: 'on the server' });
  const named = {
    ...{ id: 'here', title: 'Talk', ai_title: '', create_date: createDate },
    is_archived: 0,
  };
  await expectNamed({ 'on the server': { ...named, is_del: isDel.kept } });
  await changes.edit(uid, { type: 'recording.bin', recording: 'here' });
  await expectNamed({ 'on the server': { ...named, is_del: isDel.binned } });
  stop();
});

describe('a conversation about a recording in progress', () => {
  it('asks about its live text, and continues the same thread once the recording is uploaded', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open({ kind: 'live', recording: 'r1' });
    respond({ data: { ...answerTo('When?', 'On Friday.'), indexing: false } });
    expect(await conversation.ask('When?')).toBe(true);
    expect(openState(conversation)).toMatchObject({ live: 'r1', recordings: [] });
    respond({ data: { ...answerTo('And in April?'), indexing: false } });
    expect(await conversation.ask('And in April?')).toBe(true);
    const always = { wait: 2, question_id: isUuid };
    expect(requests).toEqual([
      { path: '/ask/live', body: { question: 'When?', client_flag: 'r1', ...always } },
      {
        path: '/ask/question',
        body: { question: 'And in April?', thread_id: 'thread', ...always },
      },
    ]);
    const thread = {
      id: 'thread',
      question: 'When?',
      count: 2,
      updated_at: '2026-03-01T10:00:00Z',
    };
    const list = [answerTo('When?', 'On Friday.'), answerTo('And in April?')];
    respond({ data: { thread: { ...thread, ids: [], client_flag: 'r1' }, list } });
    await conversation.load();
    expect(openState(conversation)).toMatchObject({ live: 'r1', recordings: [] });
    respond({ data: { thread: { ...thread, ids: ['on the server'] }, list } });
    await conversation.load();
    expect(openState(conversation)).toMatchObject({ live: null, recordings: ['on the server'] });
  });

  it('never asks about all recordings if the server doesn’t know the call', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open({ kind: 'live', recording: 'r1' });
    respond({ code: codes.unknownCall });
    expect(await conversation.ask('When?')).toBe(false);
    expect(openState(conversation).asking).toMatchObject({
      ...{ status: 'failed', question: 'When?' },
      failure: { kind: 'server', code: codes.unknownCall },
    });
    expect(requests).toHaveLength(1);
  });
});
