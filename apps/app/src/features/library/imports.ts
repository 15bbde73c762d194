/** Imports audio files that the user has picked, dropped, or shared from other apps, one at a time. */
import { writable } from '@linnet/base';
import {
  AudioStoreError,
  type AudioStoreErrorCode,
  type FileImporter,
  importId,
  StorageFull,
} from '@linnet/sync';
import type { Import, ImportService } from '../../ports/imports.ts';
import type { ImportConfirmation } from './import-confirmation.ts';

/** Failures caused by the file itself, which a retry can't fix. */
const permanentFailures: ReadonlySet<AudioStoreErrorCode> = new Set([
  'not_audio',
  'no_sound',
  'too_large',
]);

/** Returns an import error's failure code, or null for an unexpected error. */
function failureCode(error: unknown): AudioStoreErrorCode | null {
  if (error instanceof StorageFull) return 'storage_full';
  return error instanceof AudioStoreError ? error.code : null;
}

export type ImportOptions = {
  readonly importer: Pick<FileImporter, 'import'>;
  readonly confirmation: ImportConfirmation;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Called when a recording has been completely imported. */
  readonly onStored: () => void;
  readonly onError: (error: unknown) => void;
};

/**
 * A file shared by another app. It persists until `drop` is called, because the system may kill the app at any time.
 */
export type SharedFile = {
  /** Identifies the file. Never reused on this phone. */
  readonly key: string;
  readonly file: File;
  drop(): Promise<void>;
};

/** Reports shared files that couldn't be received. */
export type SharingFailedListener = (
  names: readonly string[],
  code?: 'storage_full' | 'io_failed',
) => void;

/** A file with its import ID, which is unrelated to the recording's ID. */
type AddedFile = { readonly id: string; readonly file: File };
type QueuedFile = AddedFile & { readonly owner: string; readonly autoTranscribe: boolean };

export function createImports(options: ImportOptions): {
  readonly service: ImportService;
  /**
   * Adds files shared by other apps, except those already being imported. A file is dropped once it has been imported,
   * canceled, or found to contain no audio.
   */
  addShared(files: readonly SharedFile[]): void;
  /** Shows shared files that couldn't be received as failed imports. */
  addFailed: SharingFailedListener;
  /** Cancels all imports. Shared files aren't dropped; they are imported after the next sign-in. */
  stop(): void;
} {
  const { importer, confirmation, uid, onStored, onError } = options;
  const state = writable<readonly Import[]>([]);
  const queue: QueuedFile[] = [];
  /** Shared files, keyed by import ID. */
  const shared = new Map<string, SharedFile>();
  let current: { readonly id: string; readonly control: AbortController } | null = null;

  function setState(id: string, newState: Import['state']): void {
    state.set(state.get().map((each) => (each.id === id ? { ...each, state: newState } : each)));
  }

  function removeImport(id: string): void {
    state.set(state.get().filter((each) => each.id !== id));
  }

  /** Drops a shared file. If that fails, the file stays in `shared`, which prevents a second import. */
  async function dropShared(id: string): Promise<void> {
    await shared
      .get(id)
      ?.drop()
      .then(() => shared.delete(id), onError);
  }

  /** @returns whether the files were queued; false if the user canceled or signed out */
  async function add(added: readonly AddedFile[]): Promise<boolean> {
    const owner = uid();
    if (owner === null) return false;
    const choice = await confirmation.confirm(added.map(({ file }) => file));
    // After a sign-out, shared files stay stored and are imported on the next start.
    if (uid() !== owner) return false;
    if (choice === 'cancel') {
      for (const { id } of added) await dropShared(id);
      return false;
    }
    enqueue(added, owner, choice === 'transcribe');
    return true;
  }

  function enqueue(added: readonly AddedFile[], owner: string, autoTranscribe: boolean): void {
    queue.push(...added.map((each) => ({ ...each, owner, autoTranscribe })));
    state.set([
      ...state.get(),
      ...added.map(
        ({ id, file }): Import => ({ id, name: file.name, state: { status: 'waiting' } }),
      ),
    ]);
    void processQueue();
  }

  async function importFile(queued: QueuedFile, signal: AbortSignal): Promise<void> {
    const { id, file, owner, autoTranscribe } = queued;
    const setProgress = (fraction: number) => setState(id, { status: 'working', fraction });
    setProgress(0);
    const { status, recordId } = await importer.import(
      { uid: owner, file, autoTranscribe, isPicked: true },
      setProgress,
      signal,
    );
    if (status === 'known') setState(id, { status, recordId });
    else removeImport(id);
    if (status === 'imported') onStored();
  }

  async function processQueue(): Promise<void> {
    if (current) return;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { id } = next;
      const control = new AbortController();
      current = { id, control };
      try {
        await importFile(next, control.signal);
        // Drop the file only now, because a retry needs it until the record exists.
        await dropShared(id);
      } catch (error) {
        const code = failureCode(error);
        if (control.signal.aborted) removeImport(id);
        else setState(id, { status: 'failed', code: code ?? 'io_failed' });
        if (!control.signal.aborted && !code) onError(error);
        // Other failures may be temporary, so keep the file and import it on the next start.
        if (code && permanentFailures.has(code)) await dropShared(id);
      } finally {
        current = null;
      }
    }
  }

  return {
    service: {
      state,
      question: confirmation.question,
      add: (files) => add(files.map((file) => ({ id: importId(), file }))),
      answer: confirmation.answer,
      cancel(id) {
        void dropShared(id);
        if (current?.id === id) return current.control.abort();
        const index = queue.findIndex((each) => each.id === id);
        if (index >= 0) queue.splice(index, 1);
        removeImport(id);
      },
    },
    addShared(files) {
      if (uid() === null) return;
      const knownKeys = new Set([...shared.values()].map(({ key }) => key));
      const added = files
        .filter(({ key }) => !knownKeys.has(key))
        .map((file) => ({ id: importId(), file }));
      for (const { id, file } of added) shared.set(id, file);
      add(added.map(({ id, file: { file } }) => ({ id, file }))).catch(onError);
    },
    addFailed(names, code = 'io_failed') {
      const failed = { status: 'failed', code } as const;
      state.set([
        ...state.get(),
        ...names.map((name) => ({ id: importId(), name, state: failed })),
      ]);
    },
    stop() {
      queue.length = 0;
      // Clear `shared` before canceling the question, so that the files are not dropped.
      shared.clear();
      confirmation.answer('cancel');
      current?.control.abort();
      state.set([]);
    },
  };
}
