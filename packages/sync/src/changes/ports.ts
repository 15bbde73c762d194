import type { CallData, Operation, OperationOutcome } from '@linnet/contract';
import type { Edit, EditLimit } from '@linnet/contract/operations';
import type { CloudResult } from '../ports/cloud.ts';
import type { ImportedRecord } from '../ports/records.ts';
import type { DatedSetting } from '../retention.ts';
import type { Editable } from './operations.ts';

/** A page of `sync/changes`. */
export type ChangesPage = CallData<'sync/changes'>;

/** Thrown for an edit that exceeds one of the server's limits. Nothing was changed. */
export class EditExceeds extends Error {
  override readonly name = 'EditExceeds';
  readonly limit: EditLimit;

  constructor(limit: EditLimit) {
    super(limit);
    this.limit = limit;
  }
}

/** An edit that the server rejected. The phone has reverted it and lists it until the user dismisses it. */
export type RejectedEdit = {
  readonly op: Operation;
  /** The server's code, as returned by `sync/apply`. */
  readonly code: number;
  readonly msg: string;
};

/**
 * Stores optimistic edits on top of confirmed state. Every method is one transaction. Edits are visible immediately:
 * server rows update the confirmed state, and pending edits are reapplied to it until the server has reported their
 * outcomes.
 */
export interface ChangeStore {
  /**
   * Applies an edit and queues it for the server.
   * @returns true if the edit's target exists
   * @throws EditExceeds
   */
  edit(uid: string, edit: Edit): Promise<boolean>;
  /**
   * Applies several edits atomically. Each must have a different target.
   * @returns the number of edits whose target exists
   */
  editAll(uid: string, edits: readonly Edit[]): Promise<number>;
  /**
   * Adds a merged recording, edits it, and moves its parts to the recycle bin in one transaction. Recordings that
   * continue a part continue the merged recording from now on.
   * @param createEdits returns the edits of the merged recording, given the fields of the parts
   * @throws EditExceeds
   * @throws MergeRefused `recordings_missing` if a part was deleted or moved to the recycle bin
   */
  merge(
    uid: string,
    merged: ImportedRecord,
    parts: readonly string[],
    createEdits: (parts: readonly Editable[]) => readonly Edit[],
  ): Promise<void>;
  /**
   * Returns the pending operations that can be sent, oldest first, limited to what fits in one call. Except for
   * deletions, operations on recordings unknown to the server are held back until the upload, which may never happen:
   * recordings in the recycle bin aren't uploaded.
   */
  pending(uid: string): Promise<readonly Operation[]>;
  /** Counts the pending operations that can be sent. */
  pendingCount(uid: string): Promise<number>;
  /** Stores the server's outcomes. The operations' effects stay visible until the next complete pull. */
  acknowledge(uid: string, outcomes: readonly OperationOutcome[]): Promise<void>;
  /** Returns the rejected edits that the user hasn't dismissed, oldest first. */
  rejectedEdits(uid: string): Promise<readonly RejectedEdit[]>;
  /** Deletes rejected edits by operation ID. */
  dismiss(uid: string, opIds: readonly string[]): Promise<void>;
  /** Returns the cursor of the last applied page, or undefined before the first page. */
  cursor(uid: string): Promise<string | undefined>;
  /**
   * Applies the page after `cursor`. Does nothing if another page has been applied since `cursor` was read. New
   * recordings are marked as read (`is_new` 1) because they were made on another phone.
   */
  applyPage(uid: string, cursor: string | undefined, page: ChangesPage): Promise<void>;
  /** Resets the cursor, so that the server sends all changes again. */
  restart(uid: string): Promise<void>;
  /** Returns permanently deleted recordings whose audio may still be on the phone. */
  orphanedAudio(uid: string): Promise<readonly string[]>;
  /** Marks the audio of a permanently deleted recording as removed. */
  markAudioRemoved(id: string): Promise<void>;
  settings(uid: string): Promise<readonly DatedSetting[]>;
  /**
   * Calls the listener after every commit that changed data. While a pull has more pages, calls it at most twice a
   * second.
   */
  subscribe(listener: () => void): () => void;
}

/** The server's API for edits and changes. Calls resolve with failures instead of rejecting. */
export interface ChangesCloud {
  apply(ops: readonly Operation[]): Promise<CloudResult<CallData<'sync/apply'>>>;
  /**
   * Fetches the page after `cursor`, or the first page if it's undefined. If the server has many changes, the first pages
   * contain all settings and recordings, without transcripts, and the page after them is the first one of all changes.
   */
  changes(cursor: string | undefined): Promise<CloudResult<ChangesPage>>;
}
