/** A conversation: questions about recordings, with their answers. */
import { writable } from '@linnet/base';
import type { CallFailure, Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { Conversation, ConversationStart, ConversationState } from '../../ports/questions.ts';

type Open = Extract<ConversationState, { status: 'open' }>;

export function createConversation(
  client: Pick<Client, 'call'>,
  start: ConversationStart,
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
  }

  async function ask(before: Open, question: string): Promise<boolean> {
    const { thread, recordings, answers } = before;
    state.set({ ...before, asking: { status: 'asking', question } });
    const result = await client.call('ask/question', {
      question,
      ...(thread === null ? { ids: [...recordings] } : { thread_id: thread }),
    });
    if (result.ok) {
      const { data } = result;
      state.set({
        ...before,
        thread: data.thread_id,
        answers: [...answers, data],
        asking: { status: 'idle' },
      });
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
