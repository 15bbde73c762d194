import type { Folder, FolderRetention, FolderState } from '@linnet/sync';
import type { Store } from './store.ts';

/** A folder, and the state of its import. */
export type WatchedFolder = Folder & { readonly state: FolderState };

/**
 * The outcome of picking a folder. `known`: the account has already added it. `forbidden`: the browser does not allow
 * access to this folder, such as a system folder.
 */
export type PickOutcome = 'added' | 'known' | 'canceled' | 'forbidden';

/** Folders from which new audio files are imported. */
export type FoldersService = {
  /** Whether this browser can remember folders. Otherwise, a folder can only be imported once. */
  readonly canRemember: boolean;
  /** The folders of the account, in the order in which they were added; null while they are being loaded. */
  readonly folders: Store<readonly WatchedFolder[] | null>;
  /** Lets the user pick a folder, and imports its files. Must be called in response to a tap. */
  pick(): Promise<PickOutcome>;
  /** Adds a folder that the user has dropped. Returns null if the dropped item is not a folder. */
  addDropped(item: DataTransferItem): Promise<PickOutcome | null>;
  /** Scans a folder now, after asking for access if necessary. Must be called in response to a tap. */
  scan(id: string): Promise<void>;
  /**
   * Sets what happens to imported files. Asks for write access if files are to be deleted.
   * @returns false if the user denied it, in which case nothing changes
   */
  setRetention(id: string, retention: FolderRetention): Promise<boolean>;
  /** Removes a folder from the list. Its recordings and files remain. @returns a function that adds it again */
  remove(id: string): Promise<() => Promise<void>>;
};
