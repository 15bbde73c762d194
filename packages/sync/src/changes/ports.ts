import type { CallData, Operation, OperationOutcome } from '@linnet/contract';
import type { Edit, EditLimit } from '@linnet/contract/operations';
import type { CloudResult } from '../ports.ts';
import type { DatedSetting } from '../retention.ts';

/** A page of `sync/changes`. */
export type ChangesPage = CallData<'sync/changes'>;

/** An edit that a phone does not accept: the server would refuse it. Nothing was changed. */
export class EditExceeds extends Error {
  override readonly name = 'EditExceeds';
  readonly limit: EditLimit;

  constructor(limit: EditLimit) {
    super(limit);
    this.limit = limit;
  }
}

/** An edit that the server refused: it is undone here, and kept until its owner has seen it. */
export type RefusedEdit = {
  readonly op: Operation;
  /** Of the server, as in `sync/apply`. */
  readonly code: number;
  readonly msg: string;
};

/**
 * What owners do, and what the server says of it. Every method is one transaction. What an owner did is
 * seen at once; the server's rows are taken over below it, until the server has told what came of it.
 */
export interface ChangeStore {
  /**
   * Does what an owner asks for, here and now, and keeps it for the server.
   * @returns whether what it is about is there
   * @throws EditExceeds
   */
  edit(uid: string, edit: Edit): Promise<boolean>;
  /**
   * Does several things at once, all or none, each to another recording or another paragraph.
   * @returns of how many what they are about is there
   */
  editAll(uid: string, edits: readonly Edit[]): Promise<number>;
  /**
   * Operations that the server has not answered and can be told: those about recordings it does not know
   * yet wait, deletions apart. Oldest first, at most as many as one call takes.
   */
  pending(uid: string): Promise<readonly Operation[]>;
  /** How many operations the server has not answered, those that cannot be told yet included. */
  waiting(uid: string): Promise<number>;
  /**
   * Takes down the server's answers. What the operations did stays in sight until the changes of the
   * server were read to their end.
   */
  acknowledge(uid: string, outcomes: readonly OperationOutcome[]): Promise<void>;
  /** Edits that the server refused and the owner has not dismissed, oldest first. */
  refused(uid: string): Promise<readonly RefusedEdit[]>;
  /** Forgets refused edits, by the ids of their operations. */
  dismiss(uid: string, opIds: readonly string[]): Promise<void>;
  /** How far the server's changes were read; undefined before the first. */
  cursor(uid: string): Promise<string | undefined>;
  /**
   * Takes over the changes that came after `cursor`; nothing when something else was read meanwhile.
   * Recordings that were unknown here come as read (`is_new` 1).
   */
  take(uid: string, cursor: string | undefined, page: ChangesPage): Promise<void>;
  /** Forgets how far the changes were read: everything will be told again. */
  restart(uid: string): Promise<void>;
  /** Recordings that were deleted for good and whose audio may still be here. */
  leftAudio(uid: string): Promise<readonly string[]>;
  /** The audio of a recording that was deleted for good is gone. */
  audioGone(id: string): Promise<void>;
  settings(uid: string): Promise<readonly DatedSetting[]>;
  /** Called after every commit that changed something. */
  subscribe(listener: () => void): () => void;
}

/** The calls of the server that changes need. Failures are values, as the client's are. */
export interface ChangesCloud {
  apply(ops: readonly Operation[]): Promise<CloudResult<CallData<'sync/apply'>>>;
  /** The page after `cursor`; the first without one. */
  changes(cursor: string | undefined): Promise<CloudResult<ChangesPage>>;
}
