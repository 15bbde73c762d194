/** A conversation: questions about recordings, with their answers. */
import { writable } from '@linnet/base';
import type { Answer } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { Conversation, ConversationStart, ConversationState } from '../../ports/questions.ts';

/** Seconds that a call waits for a language model. Calls end after ten. */
const waitSeconds = 5;
/** Milliseconds between requests for an answer that is still being written, and their maximum number: half an hour. */
const pollMs = 2000;
const maxPolls = 900;

type Open = Extract<ConversationState, { status: 'open' }>;

export function createConversation(
  client: Pick<Client, 'call'>,
  start: ConversationStart,
  wait: (ms: number) => Promise<void>,
): Conversation {
  const state = writable<ConversationState>(
    start.kind === 'thread'
      ? { status: 'loading' }
      : {
          status: 'open',
          thread: null,
          recordings: start.recordings,
          answers: [],
          asking: { status: 'idle' },
        },
  );
  let isLoading = false;

  async function load(id: string): Promise<void> {
    isLoading = true;
    state.set({ status: 'loading' });
    const result = await client.call('ask/thread', { id });
    isLoading = false;
    if (!result.ok) {
      const { failure } = result;
      state.set(isNotFound(failure) ? { status: 'deleted' } : { status: 'failed', failure });
      return;
    }
    const { thread, list } = result.data;
    state.set({
      status: 'open',
      thread: thread.id,
      recordings: thread.ids,
      answers: list.map((answer) => ({ ...answer, indexing: false })),
      asking: { status: 'idle' },
    });
    for (const answer of list) if (answer.writing) void followWriting(answer);
  }

  async function ask(before: Open, question: string): Promise<boolean> {
    const { thread, recordings, answers } = before;
    state.set({ ...before, asking: { status: 'asking', question } });
    const result = await client.call('ask/question', {
      question,
      ...(thread === null ? { ids: [...recordings] } : { thread_id: thread }),
      wait: waitSeconds,
    });
    if (result.ok) {
      const { data } = result;
      state.set({
        ...before,
        thread: data.thread_id,
        answers: [...answers, data],
        asking: { status: 'idle' },
      });
      if (data.writing) void followWriting(data);
      return true;
    }
    const { failure } = result;
    state.set(
      thread !== null && isNotFound(failure)
        ? { status: 'deleted' }
        : { ...before, asking: { status: 'failed', question, failure } },
    );
    return false;
  }

  /** Replaces the answer once a language model has written it, if the conversation is still open. */
  async function followWriting({ id, thread_id }: Answer): Promise<void> {
    for (let poll = 0; poll < maxPolls; poll += 1) {
      await wait(pollMs);
      const result = await client.call('ask/thread', { id: thread_id });
      const current = state.get();
      if (current.status !== 'open' || current.thread !== thread_id) return;
      const written = result.ok && result.data.list.find((each) => each.id === id);
      if (!written || written.writing) continue;
      const answers = current.answers.map((each) =>
        each.id === id ? { ...written, indexing: each.indexing } : each,
      );
      state.set({ ...current, answers });
      return;
    }
  }

  return {
    state,
    async load() {
      const { status } = state.get();
      const isNeeded = status === 'loading' || status === 'failed';
      if (start.kind === 'thread' && isNeeded && !isLoading) await load(start.id);
    },
    async ask(question) {
      const current = state.get();
      if (current.status !== 'open' || current.asking.status === 'asking') return false;
      return ask(current, question);
    },
  };
}

export const isNotFound = (failure: CallFailure) =>
  failure.kind === 'server' && failure.code === codes.notFound;
