import type { Folder, FolderRetention, FolderState } from '@linnet/sync';
import type { Store } from './store.ts';

/** A folder, and the state of its import. */
export type WatchedFolder = Folder & { readonly state: FolderState };

/**
 * The outcome of picking a folder. `known`: the account already has it. `forbidden`: the browser doesn't allow access
 * to this folder, for example a system folder.
 */
export type PickOutcome = 'added' | 'known' | 'canceled' | 'forbidden';

/** Folders that new audio files are imported from. */
export type FoldersService = {
  /** Whether this browser can remember folders. If not, a folder can only be imported once. */
  readonly canRemember: boolean;
  /** The account's folders in the order they were added, or null while loading. */
  readonly folders: Store<readonly WatchedFolder[] | null>;
  /** Lets the user pick a folder, and imports its files. Must be called in response to a tap. */
  pick(): Promise<PickOutcome>;
  /** Adds a folder that the user has dropped. Returns null if the dropped item isn't a folder. */
  addDropped(item: DataTransferItem): Promise<PickOutcome | null>;
  /** Scans a folder now, asking for access if necessary. Must be called in response to a tap. */
  scan(id: string): Promise<void>;
  /**
   * Sets what happens to imported files. Asks for write access if they are to be deleted.
   * @returns false if the user denied it; nothing changes then
   */
  setRetention(id: string, retention: FolderRetention): Promise<boolean>;
  /**
   * Removes a folder from the list, leaving its recordings and files in place.
   * @returns a function that adds it again
   */
  remove(id: string): Promise<() => Promise<void>>;
};
