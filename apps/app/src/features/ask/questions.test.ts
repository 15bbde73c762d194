import type { Answer } from '@linnet/contract';
import { createClient } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import { isDel } from '@linnet/sync';
import { describe, expect, it, vi } from 'vitest';
import type { Conversation, ConversationState } from '../../ports/questions.ts';
import { createQuestions } from './questions.ts';

const uid = 'owner';

/** Returns a stored answer with a quote, or without one. */
const answerTo = (question: string, text = ''): Answer => ({
  id: `answer to ${question}`,
  thread_id: 'thread',
  question,
  asked_at: '2026-03-01T10:00:00.000Z',
  answer: text,
  written: false,
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
    wait: async () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  return {
    ...{ service, records, changes, requests, account },
    respond: (...queued: (Response | Promise<Response>)[]) =>
      responses.push(...queued.map((each) => Promise.resolve(each))),
  };
}

type Open = Extract<ConversationState, { status: 'open' }>;
function openState(conversation: Conversation): Open {
  const state = conversation.state.get();
  if (state.status !== 'open') throw new Error(`the conversation is ${state.status}`);
  return state;
}

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
    expect(requests).toEqual([
      { path: '/ask/question', body: { question: 'When?', ids: ['on the server'], wait: 5 } },
      { path: '/ask/question', body: { question: 'And in April?', thread_id: 'thread', wait: 5 } },
    ]);
    const { thread, answers, asking } = openState(conversation);
    expect(thread).toBe('thread');
    expect(asking).toEqual({ status: 'idle' });
    expect(answers.map(({ question, indexing }) => [question, indexing])).toEqual([
      ['When?', true],
      ['And in April?', false],
    ]);
  });

  it('replaces an answer that a language model was still writing', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open({ kind: 'new', recordings: [] });
    const quoted = answerTo('When?', 'On Friday.');
    const thread = { id: 'thread', ids: [], question: 'When?', count: 1, updated_at: '' };
    const written = { ...quoted, answer: 'It is on Friday.', written: true };
    const writing = { ...quoted, writing: true };
    respond(
      { data: { ...writing, indexing: true } },
      { data: { thread, list: [writing] } },
      'no network',
      { data: { thread, list: [written] } },
    );
    expect(await conversation.ask('When?')).toBe(true);
    expect(openState(conversation).answers).toMatchObject([{ writing: true }]);
    await vi.waitFor(() => {
      expect(openState(conversation).answers).toEqual([{ ...written, indexing: true }]);
    });
    expect(requests.map(({ path }) => path)).toEqual([
      '/ask/question',
      ...['/ask/thread', '/ask/thread', '/ask/thread'],
    ]);
  });

  it('shows the question while it is being asked, and asks no other until then', async () => {
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
  it('is loaded once, and again after a failure', async () => {
    const { service, requests, respond } = await setUp();
    const conversation = service.open(start);
    respond('no network');
    await conversation.load();
    expect(conversation.state.get()).toMatchObject({ status: 'failed' });
    expect(await conversation.ask('And in April?')).toBe(false);
    respond({ data: { thread: stored, list: [answerTo('When?', 'On Friday.')] } });
    await Promise.all([conversation.load(), conversation.load()]);
    await conversation.load();
    expect(requests).toHaveLength(2);
    expect(openState(conversation)).toMatchObject({
      thread: 'thread',
      recordings: ['on the server'],
      answers: [{ question: 'When?', indexing: false }],
    });
  });

  it('that was deleted on another device is reported, also by a question', async () => {
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

  it('is the same conversation on return, until another account, conversation or deletion', async () => {
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
    const third = await open();
    respond({ data: {} });
    await service.remove('thread');
    expect(service.open(start)).not.toBe(third);
  });

  it('is deleted, even if it already was', async () => {
    const { service, requests, respond } = await setUp();
    respond({ data: {} }, { code: codes.notFound }, { code: codes.tooManyRequests });
    expect(await service.remove('thread')).toEqual({ ok: true, data: null });
    expect(await service.remove('thread')).toEqual({ ok: true, data: null });
    expect(await service.remove('thread')).toMatchObject({ ok: false });
    expect(requests[0]).toEqual({ path: '/ask/delete', body: { id: 'thread' } });
  });
});

it('names the recordings of this device by their ids on the server, also after changes', async () => {
  const { service, records, changes } = await setUp();
  const sound = { sha256: 'ab'.repeat(32), bytes: 1, seconds: 1, localfile: 'x.wav' };
  const audio = { ...sound, peaks: new Uint8Array() };
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
  const named = { id: 'here', title: 'Talk', ai_title: '', create_date: createDate };
  await expectNamed({ 'on the server': { ...named, is_del: isDel.kept } });
  await changes.edit(uid, { type: 'recording.bin', recording: 'here' });
  await expectNamed({ 'on the server': { ...named, is_del: isDel.binned } });
  stop();
});
