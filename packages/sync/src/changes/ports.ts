import type { CallData, Operation, OperationOutcome } from '@linnet/contract';
import type { Edit, EditLimit } from '@linnet/contract/operations';
import type { CloudResult } from '../ports.ts';
import type { DatedSetting } from '../retention.ts';

/** A page of `sync/changes`. */
export type ChangesPage = CallData<'sync/changes'>;

/** An edit that the phone rejects because the server would refuse it. Nothing was changed. */
export class EditExceeds extends Error {
  override readonly name = 'EditExceeds';
  readonly limit: EditLimit;

  constructor(limit: EditLimit) {
    super(limit);
    this.limit = limit;
  }
}

/** An edit that the server refused. It is undone here, and kept until the user dismisses it. */
export type RefusedEdit = {
  readonly op: Operation;
  /** The server's code, as in `sync/apply`. */
  readonly code: number;
  readonly msg: string;
};

/**
 * Optimistic edits over confirmed state. Every method is one transaction. An edit is visible at once; rows of the server
 * are applied under pending edits, until the server has reported their outcome.
 */
export interface ChangeStore {
  /**
   * Applies an edit and queues it for the server.
   * @returns whether its target exists
   * @throws EditExceeds
   */
  edit(uid: string, edit: Edit): Promise<boolean>;
  /**
   * Applies several edits, all or none, each of another recording or paragraph.
   * @returns the number of edits whose target exists
   */
  editAll(uid: string, edits: readonly Edit[]): Promise<number>;
  /**
   * Unanswered operations that can be sent: those of recordings that the server does not know yet wait, except
   * deletions. Oldest first, at most as many as one call takes.
   */
  pending(uid: string): Promise<readonly Operation[]>;
  /** The number of unanswered operations, including those that cannot be sent yet. */
  waiting(uid: string): Promise<number>;
  /**
   * Stores the server's outcomes. The effect of the operations stays visible until all changes of the server have been
   * read.
   */
  acknowledge(uid: string, outcomes: readonly OperationOutcome[]): Promise<void>;
  /** Refused edits that the user has not dismissed, oldest first. */
  refused(uid: string): Promise<readonly RefusedEdit[]>;
  /** Deletes refused edits, by the ids of their operations. */
  dismiss(uid: string, opIds: readonly string[]): Promise<void>;
  /** The cursor up to which the server's changes were read; undefined before the first. */
  cursor(uid: string): Promise<string | undefined>;
  /**
   * Applies the changes after `cursor`; does nothing if another page was applied meanwhile. New recordings are marked
   * as read (`is_new` 1).
   */
  applyPage(uid: string, cursor: string | undefined, page: ChangesPage): Promise<void>;
  /** Resets the cursor: the server sends all changes again. */
  restart(uid: string): Promise<void>;
  /** Permanently deleted recordings whose audio may still be on the phone. */
  orphanedAudio(uid: string): Promise<readonly string[]>;
  /** Records that the audio of a permanently deleted recording is gone. */
  audioRemoved(id: string): Promise<void>;
  settings(uid: string): Promise<readonly DatedSetting[]>;
  /** Called after every commit that changed something. */
  subscribe(listener: () => void): () => void;
}

/** The server's calls for edits and changes. Failures are values, as the client's are. */
export interface ChangesCloud {
  apply(ops: readonly Operation[]): Promise<CloudResult<CallData<'sync/apply'>>>;
  /** The page after `cursor`; the first without one. */
  changes(cursor: string | undefined): Promise<CloudResult<ChangesPage>>;
}
