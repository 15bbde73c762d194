/** Ports for the folders from which new audio files are imported: USB recorders, memory cards, synced directories. */
import type { AudioStoreErrorCode } from '../ports/audio.ts';

/** Whether to delete a file once its recording has a verified copy in a place that the storage setting includes. */
export type FolderRetention = 'keep' | 'delete';

/** A folder that the user has added. */
export type Folder = {
  readonly id: string;
  /** The account that added the folder. */
  readonly uid: string;
  /** The folder's name, without its path. */
  readonly name: string;
  readonly retention: FolderRetention;
};

/** The result of reading a file. A file isn't read again until its size or modification time changes. */
export type FolderFileResult =
  /** `recordId` is the ID of the recording with the file's content. */
  | {
      readonly status: 'imported' | 'known' | 'deleted';
      readonly recordId: string;
      /** The SHA-256 of the file in lowercase hex. */
      readonly sha256: string;
    }
  | { readonly status: 'failed'; readonly code: AudioStoreErrorCode };

/** The stored state of a file. */
export type FolderFile = {
  /** The path in the folder, with `/` between names. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly result: FolderFileResult;
};

/** The store of folders and their files. Methods that write reject with `StorageFull` when the disk is full. */
export interface FolderStore {
  /** Returns an account's folders in the order they were added. */
  list(uid: string): Promise<readonly Folder[]>;
  /** Returns the IDs of all folders on this device, across accounts. */
  ids(): Promise<ReadonlySet<string>>;
  add(folder: Folder): Promise<void>;
  setRetention(id: string, retention: FolderRetention): Promise<void>;
  /** Removes a folder and its files' state. The recordings are kept. */
  remove(id: string): Promise<void>;
  /** Returns the stored states of files, by path. */
  files(id: string): Promise<ReadonlyMap<string, FolderFile>>;
  /** Stores a file's state. Does nothing if the folder was removed. */
  putFile(id: string, file: FolderFile): Promise<void>;
  /** Deletes the state of a file that was deleted from the folder. */
  removeFile(id: string, path: string): Promise<void>;
}

/** A file in a folder. */
export type ListedFile = {
  readonly path: string;
  readonly file: File;
  /** Deletes the file. @throws FolderError */
  delete(): Promise<void>;
};

/**
 * Why an operation on a folder failed.
 *
 * - `permission_required`: the browser needs the user's permission again.
 * - `not_found`: the folder was deleted, or the drive isn't connected.
 * - `read_only`: files can't be deleted.
 * - `io_failed`: any other failure.
 */
export type FolderErrorCode = 'permission_required' | 'not_found' | 'read_only' | 'io_failed';

/** A failure of the {@link FolderAccess}; `cause` holds the platform's error. */
export class FolderError extends Error {
  override readonly name = 'FolderError';
  readonly code: FolderErrorCode;

  constructor(code: FolderErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** The platform's access to the folders that the user has picked. */
export interface FolderAccess {
  /**
   * Returns the audio files in a folder and its subfolders. Hidden files are skipped.
   * @throws FolderError
   */
  files(folderId: string, signal: AbortSignal): AsyncIterable<ListedFile>;
}
