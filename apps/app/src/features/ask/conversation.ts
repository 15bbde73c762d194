/** A conversation: questions about recordings, with their answers. */
import { writable } from '@linnet/base';
import type { Answer } from '@linnet/contract';
import type { CallFailure, Client } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { questionId } from '@linnet/sync';
import type {
  Conversation,
  ConversationStart,
  ConversationState,
  ShownAnswer,
} from '../../ports/questions.ts';

/** How long the server waits for the answer before it responds, in seconds. Calls time out after ten seconds. */
const waitSeconds = 2;
/**
 * Polling intervals for an unfinished answer. The interval is multiplied by `growth` after each poll, and starts over
 * when the answer has grown.
 */
const pollInterval = { initialMs: 1000, growth: 1.25, maxMs: 15_000 } as const;
/** How long to poll an unfinished answer, in milliseconds. */
const maxPollingMs = 1_800_000;

type OpenConversation = Extract<ConversationState, { status: 'open' }>;

export type ConversationDeps = {
  readonly client: Pick<Client, 'call'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly wait: (ms: number) => Promise<void>;
};

export function createConversation(
  { client, uid, wait }: ConversationDeps,
  start: ConversationStart,
): Conversation {
  const owner = uid();
  const state = writable<ConversationState>(
    start.kind === 'thread'
      ? { status: 'loading' }
      : {
          status: 'open',
          thread: null,
          recordings: start.kind === 'new' ? start.recordings : [],
          live: start.kind === 'live' ? start.recording : null,
          answers: [],
          asking: { status: 'idle' },
        },
  );
  let isLoading = false;
  let subscribers = 0;
  /**
   * Number of questions sent so far. If it has changed since a thread was requested, the response may lack the last
   * answer.
   */
  let sentCount = 0;
  /** Incremented whenever polling starts. Only the latest polling loop continues. */
  let pollRuns = 0;
  /** The last question sent, until it is answered. A retry sends the same ID, so the server doesn't store it twice. */
  let unanswered: { readonly question: string; readonly id: string } | null = null;

  /**
   * Loads the thread. If the call fails, or another question is sent before it returns, the answers shown don't change.
   */
  async function load(id: string): Promise<void> {
    isLoading = true;
    const sentBefore = sentCount;
    if (state.get().status !== 'open') state.set({ status: 'loading' });
    const result = await client.call('ask/thread', { id });
    isLoading = false;
    const current = state.get();
    if (sentCount !== sentBefore || uid() !== owner || current.status === 'deleted') return;
    if (!result.ok) {
      const { failure } = result;
      if (isNotFound(failure)) state.set({ status: 'deleted' });
      else if (current.status !== 'open') state.set({ status: 'failed', failure });
      return;
    }
    const { thread, list } = result.data;
    if (current.status === 'open') {
      const answers = toShown(list, current.answers);
      const isFull = answers.length >= limits.ask.questions;
      const asking = isFull ? ({ status: 'idle' } as const) : current.asking;
      // The recording in progress may have been uploaded since the last call.
      const scope =
        current.live === null ? {} : { recordings: thread.ids, live: thread.client_flag ?? null };
      const next = { ...current, ...scope, answers };
      const contents = (each: OpenConversation) =>
        JSON.stringify([each.answers, each.recordings, each.live]);
      // If nothing has changed, don't update the state, because components would re-render.
      if (contents(next) !== contents(current)) state.set({ ...next, asking });
    } else {
      state.set({
        status: 'open',
        thread: thread.id,
        recordings: thread.ids,
        live: thread.client_flag ?? null,
        answers: toShown(list, []),
        asking: { status: 'idle' },
      });
    }
    void pollAnswers();
  }

  async function ask(before: OpenConversation, question: string): Promise<boolean> {
    const { thread, recordings, live } = before;
    const sending = unanswered?.question === question ? unanswered : { question, id: questionId() };
    unanswered = sending;
    sentCount += 1;
    state.set({ ...before, asking: { status: 'asking', question } });
    const body = { question, wait: waitSeconds, question_id: sending.id };
    const result =
      thread === null && live !== null
        ? await client.call('ask/live', { ...body, client_flag: live })
        : await client.call('ask/question', {
            ...body,
            ...(thread === null ? { ids: [...recordings] } : { thread_id: thread }),
          });
    // During the call, other answers may have been completed, or the thread may have been deleted.
    const current = state.get();
    if (current.status !== 'open') return false;
    if (result.ok) {
      const { data } = result;
      unanswered = null;
      state.set({
        ...current,
        thread: data.thread_id,
        answers: withAnswer(current.answers, data),
        asking: { status: 'idle' },
      });
      void pollAnswers();
      return true;
    }
    const { failure } = result;
    if (thread !== null && isNotFound(failure)) {
      state.set({ status: 'deleted' });
      return false;
    }
    state.set({ ...current, asking: { status: 'failed', question, failure } });
    // Questions asked on another device may have reached the thread's limit.
    if (thread !== null && isBadRequest(failure)) await load(thread);
    return false;
  }

  /**
   * Polls the thread until all answers are complete, the last subscriber is gone, or the account changes. After
   * {@link maxPollingMs}, treats unfinished answers as complete, so their quotes are shown. Replaces a polling loop
   * that is already running.
   */
  async function pollAnswers(): Promise<void> {
    pollRuns += 1;
    const thisRun = pollRuns;
    const isNeeded = () => thisRun === pollRuns && subscribers > 0 && uid() === owner;
    let intervalMs: number = pollInterval.initialMs;
    for (let waitedMs = 0; waitedMs < maxPollingMs; ) {
      if (!isNeeded() || writingThread(state.get()) === null) return;
      await wait(intervalMs);
      waitedMs += intervalMs;
      intervalMs = Math.min(intervalMs * pollInterval.growth, pollInterval.maxMs);
      const id = writingThread(state.get());
      if (!isNeeded() || id === null) return;
      const result = await client.call('ask/thread', { id });
      const current = state.get();
      if (uid() !== owner || current.status !== 'open') return;
      if (result.ok) {
        const answers = updateAnswers(current.answers, result.data.list);
        if (answers.some((answer, index) => answer !== current.answers[index])) {
          state.set({ ...current, answers });
          intervalMs = pollInterval.initialMs;
        }
      } else if (isNotFound(result.failure)) {
        state.set({ status: 'deleted' });
        return;
      }
    }
    const current = state.get();
    if (!isNeeded() || current.status !== 'open') return;
    const answers = current.answers.map((answer) => ({ ...answer, writing: false }));
    state.set({ ...current, answers });
  }

  return {
    state: {
      get: state.get,
      subscribe(listener) {
        const unsubscribe = state.subscribe(listener);
        subscribers += 1;
        if (subscribers === 1) void pollAnswers();
        return () => {
          unsubscribe();
          subscribers -= 1;
        };
      },
    },
    async load() {
      const current = state.get();
      if (isLoading || current.status === 'deleted') return;
      if (current.status === 'open') {
        const { thread, asking } = current;
        if (thread !== null && asking.status !== 'asking') await load(thread);
      } else if (start.kind === 'thread') await load(start.id);
    },
    async ask(question) {
      const current = state.get();
      if (current.status !== 'open' || current.asking.status === 'asking') return false;
      return ask(current, question);
    },
  };
}

/** Returns the thread's ID if an answer in it is being written, or null. */
function writingThread(state: ConversationState): string | null {
  if (state.status !== 'open') return null;
  return state.answers.some(({ writing }) => writing) ? state.thread : null;
}

/**
 * Returns a thread's answers. The server doesn't return `indexing` here, so keeps its value for answers already shown.
 */
function toShown(
  list: readonly Answer[],
  shownAnswers: readonly ShownAnswer[],
): readonly ShownAnswer[] {
  const indexing = new Set(shownAnswers.filter((answer) => answer.indexing).map(({ id }) => id));
  return list.map((answer) => ({ ...answer, indexing: indexing.has(answer.id) }));
}

/** Adds an answer, or replaces it if it is already shown. */
function withAnswer(
  shownAnswers: readonly ShownAnswer[],
  answer: ShownAnswer,
): readonly ShownAnswer[] {
  return shownAnswers.some(({ id }) => id === answer.id)
    ? shownAnswers.map((each) => (each.id === answer.id ? answer : each))
    : [...shownAnswers, answer];
}

/** Updates unfinished answers that have changed. All other answers keep their identity. */
function updateAnswers(
  shownAnswers: readonly ShownAnswer[],
  list: readonly Answer[],
): readonly ShownAnswer[] {
  const latestById = new Map(list.map((each) => [each.id, each]));
  return shownAnswers.map((shownAnswer) => {
    const latestAnswer = shownAnswer.writing ? latestById.get(shownAnswer.id) : undefined;
    const isSame = latestAnswer?.writing === true && latestAnswer.answer === shownAnswer.answer;
    return latestAnswer && !isSame
      ? { ...latestAnswer, indexing: shownAnswer.indexing }
      : shownAnswer;
  });
}

export const isNotFound = (failure: CallFailure) =>
  failure.kind === 'server' && failure.code === codes.notFound;

const isBadRequest = (failure: CallFailure) =>
  failure.kind === 'server' && failure.code === codes.badRequest;
