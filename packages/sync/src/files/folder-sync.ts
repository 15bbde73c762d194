/**
 * Imports new files from folders. Files are identified by content, so each is imported only once, regardless of its
 * name and folder. The folder store serves only to avoid rereading known files.
 */
import { type Store, writable } from '@linnet/base';
import { isBeingWritten } from '@linnet/contract/folder-files';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { AudioStoreError, type AudioStoreErrorCode } from '../ports/audio.ts';
import { StorageFull } from '../ports/records.ts';
import type { FileImporter } from './file-importer.ts';
import type { FileRetention } from './file-retention.ts';
import {
  type Folder,
  type FolderAccess,
  FolderError,
  type FolderErrorCode,
  type FolderFile,
  type FolderFileResult,
  type FolderStore,
  type ListedFile,
} from './folder.ts';

/** Failures that may be temporary. These files are retried when the app starts or the user requests a scan. */
const temporaryFailures: ReadonlySet<AudioStoreErrorCode> = new Set([
  'storage_full',
  'file_missing',
  'io_failed',
]);

/** A file that couldn't be imported. */
export type FailedFile = { readonly path: string; readonly code: AudioStoreErrorCode };

/** The outcome of the latest complete scan. */
export type FolderSummary = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Number of files with a recording, from this or an earlier import. */
  readonly recordings: number;
  /** Number of files imported by this scan. */
  readonly imported: number;
  /** Number of files that this scan deleted from the folder because their recordings are stored safely. */
  readonly released: number;
  /** Number of files still being written. A later scan imports them. */
  readonly growing: number;
  /** Number of new files that the user declined to import. If the user requests a scan, they are asked again. */
  readonly declined: number;
  readonly failed: readonly FailedFile[];
};

/** A folder's state. `latest` is null before the first complete scan since the app started. */
export type FolderState =
  | { readonly status: 'waiting'; readonly latest: FolderSummary | null }
  | { readonly status: 'listing'; readonly latest: FolderSummary | null }
  | {
      readonly status: 'importing';
      readonly latest: FolderSummary | null;
      /** The current file's position among the `total` new files, starting at 1. */
      readonly number: number;
      readonly total: number;
      readonly name: string;
      /** The progress of the current file, 0–1. */
      readonly fraction: number;
    }
  | { readonly status: 'done'; readonly latest: FolderSummary }
  | {
      readonly status: 'failed';
      readonly latest: FolderSummary | null;
      readonly code: FolderErrorCode | 'storage_full';
    };

/** Whether to import new files, and whether to transcribe their recordings automatically. */
export type FolderImportChoice = 'transcribe' | 'import' | 'cancel';

export type FolderSyncOptions = {
  readonly store: FolderStore;
  readonly access: FolderAccess;
  readonly importer: Pick<FileImporter, 'import'>;
  readonly retention: Pick<FileRetention, 'release'>;
  /** Asks the user, if necessary, before new files are imported. */
  readonly confirm: (files: readonly File[]) => Promise<FolderImportChoice>;
  readonly clock: Pick<Clock, 'now'>;
  readonly onStored: () => void;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

/** A file in a folder, and the result of its import by this or an earlier scan. */
type ScannedFile = { readonly listed: ListedFile; readonly result: FolderFileResult };

type Listing = {
  readonly unchanged: readonly ScannedFile[];
  /** New, changed, and failed files to import. */
  readonly added: readonly ListedFile[];
  /** The paths of files that the user has declined to import. */
  readonly declined: readonly string[];
  /** How many files are still being written. */
  readonly growing: number;
};

/** Scans folders for new files. */
export class FolderSync {
  readonly #options: FolderSyncOptions;
  readonly #states = writable<ReadonlyMap<string, FolderState>>(new Map());
  /** The paths of declined files since the app started, by folder. */
  readonly #declined = new Map<string, ReadonlySet<string>>();

  constructor(options: FolderSyncOptions) {
    this.#options = options;
  }

  /** The folders' states, by ID. */
  get states(): Store<ReadonlyMap<string, FolderState>> {
    return this.#states;
  }

  /** Removes the state of a folder that the user has removed. */
  forget(folderId: string): void {
    const states = new Map(this.#states.get());
    states.delete(folderId);
    this.#states.set(states);
    this.#declined.delete(folderId);
  }

  #setState(folder: Folder, state: FolderState): void {
    this.#states.set(new Map(this.#states.get()).set(folder.id, state));
  }

  #latest(folder: Folder): FolderSummary | null {
    return this.#states.get().get(folder.id)?.latest ?? null;
  }

  /**
   * Imports a folder's new files. Failures are reported in the folder's state.
   * @param isRequested true if the user requested the scan
   * @throws `signal.reason` if aborted
   */
  async scan(folder: Folder, isRequested: boolean, signal: AbortSignal): Promise<void> {
    const latest = this.#latest(folder);
    if (isRequested) this.#declined.delete(folder.id);
    const isFirst = latest === null;
    // Don't show a periodic scan that finds nothing new.
    if (isRequested || isFirst) this.#setState(folder, { status: 'listing', latest });
    try {
      const summary = await this.#scan(folder, isRequested || isFirst, signal);
      this.#setState(folder, { status: 'done', latest: summary });
    } catch (error) {
      if (signal.aborted) {
        this.#setState(folder, { status: 'waiting', latest });
        throw error;
      }
      const code = folderCode(error);
      this.#setState(folder, { status: 'failed', latest, code: code ?? 'io_failed' });
      if (!code) this.#options.onError(error);
    }
  }

  async #scan(folder: Folder, retriesFailed: boolean, signal: AbortSignal): Promise<FolderSummary> {
    const { clock, log } = this.#options;
    const listing = await this.#list(folder, retriesFailed, signal);
    const results = await this.#importFiles(folder, listing.added, signal);
    const isDeclined = results === 'declined';
    const declined = new Set(listing.declined);
    if (isDeclined) for (const { path } of listing.added) declined.add(path);
    this.#declined.set(folder.id, declined);
    const added = isDeclined ? [] : results;
    const scanned = [...listing.unchanged, ...added];
    const released = await this.#release(folder, scanned, signal);

    const remaining = scanned.filter(({ listed }) => !released.has(listed.path));
    const summary: FolderSummary = {
      at: clock.now(),
      recordings: remaining.filter(({ result }) => hasRecording(result)).length,
      imported: added.filter(({ result }) => result.status === 'imported').length,
      released: released.size,
      growing: listing.growing,
      declined: declined.size,
      failed: remaining.flatMap(({ listed: { path }, result }) =>
        result.status === 'failed' ? [{ path, code: result.code }] : [],
      ),
    };
    if (added.length + released.size > 0) {
      const { imported, failed } = summary;
      log('folder.scanned', { imported, released: released.size, failed: failed.length });
    }
    return summary;
  }

  /** Groups a folder's files by how the scan must handle them. */
  async #list(folder: Folder, retriesFailed: boolean, signal: AbortSignal): Promise<Listing> {
    const { store, access, clock } = this.#options;
    const remembered = await store.files(folder.id);
    const wasDeclined = this.#declined.get(folder.id);
    const listing = {
      unchanged: [] as ScannedFile[],
      added: [] as ListedFile[],
      declined: [] as string[],
      growing: 0,
    };
    for await (const listed of access.files(folder.id, signal)) {
      signal.throwIfAborted();
      const { path, file } = listed;
      const known = remembered.get(path);
      const isRetried = retriesFailed && known !== undefined && isTemporary(known.result);
      if (known && isUnchanged(known, file) && !isRetried) {
        listing.unchanged.push({ listed, result: known.result });
      } else if (isBeingWritten(file.lastModified, clock.now())) listing.growing += 1;
      else if (wasDeclined?.has(path)) listing.declined.push(path);
      else listing.added.push(listed);
    }
    return listing;
  }

  /** Imports files in date order, unless the user declines. */
  async #importFiles(
    folder: Folder,
    files: readonly ListedFile[],
    signal: AbortSignal,
  ): Promise<readonly ScannedFile[] | 'declined'> {
    const { store, confirm, onStored } = this.#options;
    if (files.length === 0) return [];
    const choice = await confirm(files.map(({ file }) => file));
    signal.throwIfAborted();
    if (choice === 'cancel') return 'declined';
    const scanned: ScannedFile[] = [];
    const byDate = files.toSorted((a, b) => a.file.lastModified - b.file.lastModified);
    for (const [index, listed] of byDate.entries()) {
      const { path, file } = listed;
      const onProgress = (fraction: number) =>
        this.#setState(folder, {
          status: 'importing',
          latest: this.#latest(folder),
          ...{ number: index + 1, total: byDate.length, name: file.name, fraction },
        });
      onProgress(0);
      const result = await this.#importFile(folder, file, choice, onProgress, signal);
      await store.putFile(folder.id, {
        ...{ path, size: file.size, modifiedAt: file.lastModified },
        result,
      });
      scanned.push({ listed, result });
      if (result.status === 'imported') onStored();
    }
    return scanned;
  }

  /**
   * If the folder is set to delete files, deletes those whose recordings are stored safely.
   * @returns the paths of deleted files
   */
  async #release(
    folder: Folder,
    files: readonly ScannedFile[],
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const { store, retention } = this.#options;
    const released = new Set<string>();
    if (folder.retention === 'keep') return released;
    for (const { listed, result } of files) {
      if (result.status === 'failed') continue;
      const release = await retention.release(listed, result, signal);
      // The server couldn't confirm this file, so it can't confirm the others either.
      if (release === 'unconfirmed') break;
      if (release === 'kept') continue;
      await store.removeFile(folder.id, listed.path);
      released.add(listed.path);
    }
    return released;
  }

  /** @throws StorageFull, AudioStoreError `storage_full`, because the remaining files would fail too */
  async #importFile(
    { uid }: Folder,
    file: File,
    choice: 'transcribe' | 'import',
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FolderFileResult> {
    try {
      return await this.#options.importer.import(
        { uid, file, autoTranscribe: choice === 'transcribe', isPicked: false },
        onProgress,
        signal,
      );
    } catch (error) {
      if (!(error instanceof AudioStoreError) || error.code === 'storage_full') throw error;
      signal.throwIfAborted();
      return { status: 'failed', code: error.code };
    }
  }
}

function isUnchanged(known: FolderFile, file: File): boolean {
  return known.size === file.size && known.modifiedAt === file.lastModified;
}

function isTemporary(result: FolderFileResult): boolean {
  return result.status === 'failed' && temporaryFailures.has(result.code);
}

/** True if the account has a recording with a file's content. */
function hasRecording({ status }: FolderFileResult): boolean {
  return status === 'imported' || status === 'known';
}

function folderCode(error: unknown): FolderErrorCode | 'storage_full' | null {
  if (error instanceof FolderError) return error.code;
  if (error instanceof StorageFull) return 'storage_full';
  return error instanceof AudioStoreError && error.code === 'storage_full' ? error.code : null;
}
