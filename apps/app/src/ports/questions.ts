import type { Answer, CallData, QuestionThread, Quote } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { NamedRecord } from '@linnet/sync';
import type { Live, Outcome, Store } from './store.ts';

/** The start of a conversation: a stored thread, or a new one about recordings, given by their ids on the server. */
export type ConversationStart =
  | { readonly kind: 'thread'; readonly id: string }
  /** No recordings mean all of them. */
  | { readonly kind: 'new'; readonly recordings: readonly string[] }
  /** A new conversation about a recording in progress, by its id. */
  | { readonly kind: 'live'; readonly recording: string };

/** `indexing`: some recordings had just been changed and weren't searched yet. */
export type ShownAnswer = Answer & { readonly indexing: boolean };

/** The question that is being asked. */
export type Asking =
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
      /** The thread's id; null until the first question was answered. */
      readonly thread: string | null;
      /** The server ids of the recordings that are asked about; empty for all. */
      readonly recordings: readonly string[];
      /** The id of the recording in progress that is asked about, or null. */
      readonly live: string | null;
      /** In order, oldest first. */
      readonly answers: readonly ShownAnswer[];
      readonly asking: Asking;
    };

export type Conversation = {
  /** While it has subscribers, an answer that is being written is requested until it is finished. */
  readonly state: Store<ConversationState>;
  /**
   * Loads the earlier questions. If they are already shown, they stay until the newer ones replace them, also if the
   * call fails. Does nothing for a new conversation, and while a question is being asked.
   */
  load(): Promise<void>;
  /**
   * Asks a question. Does nothing while another one is being asked, or if the conversation isn't open.
   * @returns whether it was answered
   */
  ask(question: string): Promise<boolean>;
};

/** Questions about the recordings. The server answers and stores them, so that calls need a connection. */
export type QuestionsService = {
  /** Opens a conversation. Returns the same one if it is opened again before another. */
  open(start: ConversationStart): Conversation;
  /** Finds the passages that have most in common with words or a question. Stores nothing. */
  passages(words: string, signal: AbortSignal): Promise<Outcome<readonly Quote[], CallFailure>>;
  /** Returns a page of the stored threads, latest first. Pages are counted from 1. */
  threads(page: number): Promise<Outcome<CallData<'ask/index'>, CallFailure>>;
  /** Deletes a thread. Succeeds if it was already deleted. */
  remove(thread: QuestionThread['id']): Promise<Outcome<null, CallFailure>>;
  /** Returns the recordings that are on this device, by their ids on the server. */
  recordings(serverIds: readonly string[]): Live<ReadonlyMap<string, NamedRecord>>;
};
