import type { Answer, CallData, QuestionThread, Quote } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { NamedRecord } from '@linnet/sync';
import type { Live, Outcome, Store } from './store.ts';

/** The start of a conversation: a stored thread, or a new one about recordings, given by their IDs on the server. */
export type ConversationStart =
  | { readonly kind: 'thread'; readonly id: string }
  /** An empty list means all recordings. */
  | { readonly kind: 'new'; readonly recordings: readonly string[] }
  /** A new conversation about a recording in progress, by its ID. */
  | { readonly kind: 'live'; readonly recording: string };

/** `indexing`: some recently changed recordings weren't searched, because they hadn't been indexed yet. */
export type ShownAnswer = Answer & { readonly indexing: boolean };

/** The question that is being asked. */
export type AskState =
  | { readonly status: 'idle' }
  | { readonly status: 'asking'; readonly question: string }
  | { readonly status: 'failed'; readonly question: string; readonly failure: CallFailure };

export type ConversationState =
  /** The earlier questions are loading, or couldn't be loaded. */
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  /** The thread was deleted, perhaps on another device. */
  | { readonly status: 'deleted' }
  | {
      readonly status: 'open';
      /** The thread's ID, or null until the first question has been answered. */
      readonly thread: string | null;
      /** The server IDs of the recordings that the questions are about; empty for all. */
      readonly recordings: readonly string[];
      /** The ID of the recording in progress that the questions are about, or null. */
      readonly live: string | null;
      /** In order, oldest first. */
      readonly answers: readonly ShownAnswer[];
      readonly asking: AskState;
    };

export type Conversation = {
  /** While the state has subscribers, unfinished answers are polled until they are complete. */
  readonly state: Store<ConversationState>;
  /**
   * Loads the thread's questions and answers. Those already shown stay if the call fails. Skipped for a new
   * conversation and while a question is being asked.
   */
  load(): Promise<void>;
  /**
   * Asks a question, unless another question is being asked or the conversation isn't open.
   * @returns whether it was answered
   */
  ask(question: string): Promise<boolean>;
};

/** Questions about the recordings. The server answers and stores them, so calls need a connection. */
export type QuestionsService = {
  /** Opens a conversation. Returns the same object if the thread opened last is opened again. */
  open(start: ConversationStart): Conversation;
  /** Finds the passages most similar to the given words or question. Stores nothing. */
  passages(words: string, signal: AbortSignal): Promise<Outcome<readonly Quote[], CallFailure>>;
  /** Returns a page of the stored threads, latest first. Pages are counted from 1. */
  threads(page: number): Promise<Outcome<CallData<'ask/index'>, CallFailure>>;
  /** Deletes a thread. Succeeds if it was already deleted. */
  remove(thread: QuestionThread['id']): Promise<Outcome<null, CallFailure>>;
  /** Returns the recordings that are on this device, by their IDs on the server. */
  recordings(serverIds: readonly string[]): Live<ReadonlyMap<string, NamedRecord>>;
};
