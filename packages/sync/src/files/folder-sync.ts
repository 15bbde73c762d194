/**
 * Imports new files of folders. A file is identified by its content, so that it is imported once, whatever its name and
 * folder. The store of folders only avoids reading known files again.
 */
import { type Store, writable } from '@linnet/base';
import {
  AudioStoreError,
  type AudioStoreErrorCode,
  type Clock,
  type Log,
  StorageFull,
} from '../ports.ts';
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

/**
 * Milliseconds for which a file must not have changed. Programs that copy a file to a folder write to it at shorter
 * intervals.
 */
const SETTLED_MS = 3000;

/** Failures that may be temporary, after which a file is tried again at every look. */
const temporaryFailures: ReadonlySet<AudioStoreErrorCode> = new Set([
  'storage_full',
  'file_missing',
  'io_failed',
]);

/** A file that could not be imported. */
export type FailedFile = { readonly path: string; readonly code: AudioStoreErrorCode };

/** The outcome of the latest complete look. */
export type FolderSummary = {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The number of files that are recordings: imported at any time, or known before. */
  readonly recordings: number;
  /** The number of files that this look imported. */
  readonly imported: number;
  /** The number of files that this look deleted from the folder, because their recordings are stored safely. */
  readonly released: number;
  /** The number of files that are still being written, and are imported by a later look. */
  readonly growing: number;
  /** The number of new files that the user chose not to import. A look requested by the user asks again. */
  readonly declined: number;
  readonly failed: readonly FailedFile[];
};

/** The state of a folder. `latest` is null before the first complete look since the app started. */
export type FolderState =
  | { readonly status: 'waiting'; readonly latest: FolderSummary | null }
  | { readonly status: 'listing'; readonly latest: FolderSummary | null }
  | {
      readonly status: 'importing';
      readonly latest: FolderSummary | null;
      /** The number of the current file, from 1, among `total` new files. */
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

/** Whether new files may be imported, and whether automatic transcription includes their recordings. */
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

/** Looks through folders, one at a time. */
export class FolderSync {
  readonly #options: FolderSyncOptions;
  readonly #states = writable<ReadonlyMap<string, FolderState>>(new Map());
  /** The paths of declined files since the app started, by folder. */
  readonly #declined = new Map<string, ReadonlySet<string>>();

  constructor(options: FolderSyncOptions) {
    this.#options = options;
  }

  /** The states of the folders, by id. */
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
   * Imports the new files of a folder. Failures end in the folder's state.
   * @param isRequested whether the user requested the look
   * @throws the reason of `signal`
   */
  async look(folder: Folder, isRequested: boolean, signal: AbortSignal): Promise<void> {
    const latest = this.#latest(folder);
    if (isRequested) this.#declined.delete(folder.id);
    // A periodic look that finds nothing new is not shown.
    if (isRequested || latest === null) this.#setState(folder, { status: 'listing', latest });
    try {
      const summary = await this.#look(folder, signal);
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

  async #look(folder: Folder, signal: AbortSignal): Promise<FolderSummary> {
    const { store, access, clock, log } = this.#options;
    const remembered = await store.files(folder.id);
    const newFiles: ListedFile[] = [];
    const settled: [ListedFile, FolderFile][] = [];
    const failed: FailedFile[] = [];
    const wasDeclined = this.#declined.get(folder.id) ?? new Set();
    const declined = new Set<string>();
    let growing = 0;
    for await (const listed of access.files(folder.id, signal)) {
      signal.throwIfAborted();
      const known = remembered.get(listed.path);
      if (known && isUnchanged(known, listed.file) && !isTemporary(known.result)) {
        settled.push([listed, known]);
      } else if (isGrowing(listed.file, clock.now())) growing += 1;
      else if (wasDeclined.has(listed.path)) declined.add(listed.path);
      else newFiles.push(listed);
    }

    let imported = 0;
    const results = await this.#importFiles(folder, newFiles, signal);
    if (results === 'declined') for (const { path } of newFiles) declined.add(path);
    else {
      for (const file of results) {
        settled.push(file);
        if (file[1].result.status === 'imported') imported += 1;
      }
    }
    this.#declined.set(folder.id, declined);

    let released = 0;
    let recordings = 0;
    let mayRelease = folder.retention === 'delete';
    for (const [listed, { path, result }] of settled) {
      if (result.status === 'failed') {
        failed.push({ path, code: result.code });
        continue;
      }
      const release = mayRelease ? await this.#options.retention.release(listed, result) : 'kept';
      if (release === 'released') {
        await store.removeFile(folder.id, path);
        released += 1;
      } else if (result.status !== 'deleted') recordings += 1;
      // Without the server, the other files cannot be confirmed either.
      if (release === 'unconfirmed') mayRelease = false;
    }
    if (newFiles.length > 0 || released > 0) {
      log('folder.looked', { imported, released, growing, failed: failed.length });
    }
    const counts = { recordings, imported, released, growing, declined: declined.size };
    return { at: clock.now(), ...counts, failed };
  }

  /** Imports files in the order of their dates. @returns the files with their results, unless the user declines */
  async #importFiles(
    folder: Folder,
    files: readonly ListedFile[],
    signal: AbortSignal,
  ): Promise<readonly [ListedFile, FolderFile][] | 'declined'> {
    const { store, confirm, onStored } = this.#options;
    if (files.length === 0) return [];
    const choice = await confirm(files.map(({ file }) => file));
    signal.throwIfAborted();
    if (choice === 'cancel') return 'declined';
    const done: [ListedFile, FolderFile][] = [];
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
      const remembered = { path, size: file.size, modifiedAt: file.lastModified, result };
      await store.putFile(folder.id, remembered);
      done.push([listed, remembered]);
      if (result.status === 'imported') onStored();
    }
    return done;
  }

  /** @throws StorageFull, AudioStoreError `storage_full`: the other files would fail as well */
  async #importFile(
    { uid }: Folder,
    file: File,
    choice: 'transcribe' | 'import',
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<FolderFileResult> {
    try {
      return await this.#options.importer.import(
        { uid, file, autoTranscribe: choice === 'transcribe', includesDeleted: false },
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

/** Whether a file was modified so recently that it may still be written. Times in the future do not count. */
function isGrowing(file: File, now: number): boolean {
  const age = now - file.lastModified;
  return age >= 0 && age < SETTLED_MS;
}

function folderCode(error: unknown): FolderErrorCode | 'storage_full' | null {
  if (error instanceof FolderError) return error.code;
  if (error instanceof StorageFull) return 'storage_full';
  return error instanceof AudioStoreError && error.code === 'storage_full' ? error.code : null;
}
