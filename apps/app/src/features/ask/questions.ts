import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import type { NamedRecord, RecordStore } from '@linnet/sync';
import type { Conversation, QuestionsService } from '../../ports/questions.ts';
import { live } from '../../stores.ts';
import { createConversation, isNotFound } from './conversation.ts';

const THREADS_PER_PAGE = 20;

export type QuestionsOptions = {
  readonly client: Pick<Client, 'call'>;
  readonly records: Pick<RecordStore, 'namesByServerId'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Subscribes to database commits and to changes to {@link uid}. */
  readonly watch: (listener: () => void) => () => void;
  /** Replaces the polling timer in tests. */
  readonly wait?: (ms: number) => Promise<void>;
  readonly onError: (error: unknown) => void;
};

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export function createQuestions(options: QuestionsOptions): QuestionsService {
  const { client, records, uid, watch, wait = sleep, onError } = options;
  /** The most recently opened conversation. The user may return to it from a recording. */
  let last: { readonly owner: string | null; readonly conversation: Conversation } | null = null;

  return {
    open(start) {
      const owner = uid();
      if (start.kind === 'thread' && last?.owner === owner) {
        const state = last.conversation.state.get();
        if (state.status === 'open' && state.thread === start.id) return last.conversation;
      }
      const conversation = createConversation({ client, uid, wait }, start);
      last = { owner, conversation };
      return conversation;
    },

    async passages(words, signal) {
      const question = words.slice(0, limits.ask.questionMaxLength);
      const result = await client.call('ask/passages', { question }, { signal });
      return result.ok ? { ok: true, data: result.data.quotes } : result;
    },

    threads: (page) => client.call('ask/index', { page, limit: THREADS_PER_PAGE }),

    async remove(id) {
      const result = await client.call('ask/delete', { id });
      if (!result.ok && !isNotFound(result.failure)) return result;
      const state = last?.conversation.state.get();
      if (state?.status === 'open' && state.thread === id) last = null;
      return { ok: true, data: null };
    },

    recordings(serverIds) {
      let lastRead: ReadonlyMap<string, NamedRecord> = new Map();
      async function read(): Promise<ReadonlyMap<string, NamedRecord>> {
        const owner = uid();
        const names = owner === null ? new Map() : await records.namesByServerId(owner, serverIds);
        // If nothing has changed, return the same object so that no component re-renders.
        if (JSON.stringify([...names]) !== JSON.stringify([...lastRead])) lastRead = names;
        return lastRead;
      }
      return live(read, watch, onError, uid);
    },
  };
}
