/**
 * The import of audio files, including files shared by other apps. Files are imported one at a time: each is converted
 * to the packet format of recorders and then processed like a recording. The database record is added last, together
 * with the audio; until then, packets under an import id mark an incomplete import, which `sweep` deletes after a
 * crash.
 */
import { writable } from '@linnet/base';
import { limits } from '@linnet/contract/limits';
import {
  type AudioStore,
  AudioStoreError,
  type AudioStoreErrorCode,
  type AudioWorkshop,
  importId,
  isImportId,
  type RecordStore,
  StorageFull,
} from '@linnet/sync';
import type { Import, ImportChoice, ImportQuestion, ImportService } from '../../ports/imports.ts';
import { estimateSeconds } from './file-length.ts';

/** The maximum total duration in seconds that is transcribed without asking the user. */
const CONFIRM_SECONDS = 600;

/** The share of decoding in the progress of an import. The rest is for writing the stored files. */
const DECODING_SHARE = 0.9;

/** Failures that are caused by the file itself, so that a retry is useless. */
const permanentFailures: ReadonlySet<AudioStoreErrorCode> = new Set([
  'not_audio',
  'no_sound',
  'too_large',
]);

/** Returns the failure code of an import error; null for a defect. */
function failureCode(error: unknown): AudioStoreErrorCode | null {
  if (error instanceof StorageFull) return 'storage_full';
  return error instanceof AudioStoreError ? error.code : null;
}

export type ImportOptions = {
  readonly records: Pick<RecordStore, 'add' | 'work' | 'tombstones'>;
  readonly audio: Pick<AudioStore, 'finish' | 'discardPackets' | 'remove'>;
  readonly workshop: Pick<AudioWorkshop, 'convert' | 'list'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /**
   * Returns the balance from which the transcription of imports is paid. Returns null if imports are not transcribed
   * automatically, or if transcription is free.
   */
  readonly balanceUsed: () => Pick<ImportQuestion, 'leftMinutes'> | null;
  /** Called when a recording is completely imported. */
  readonly onStored: () => void;
  readonly onError: (error: unknown) => void;
};

/** A file shared by another app. It persists until `drop` is called, because a phone may terminate the app anytime. */
export type SharedFile = {
  /** Identifies the file. It is never reused on this phone. */
  readonly key: string;
  readonly file: File;
  drop(): Promise<void>;
};

/** Reports shared files that could not be received. */
export type SharingFailed = (names: readonly string[], code?: 'storage_full' | 'io_failed') => void;

type AddedFile = { readonly id: string; readonly file: File };
type QueuedFile = AddedFile & { readonly owner: string; readonly autoTranscribe: boolean };

/** Returns the title of an imported recording: the name of the file without its extension. */
export function titleOf(fileName: string): string {
  const bare = fileName.replace(/\.[^.\s]{1,5}$/u, '').trim();
  return (bare || fileName).slice(0, limits.recording.nameMaxLength);
}

export function createImports(options: ImportOptions): {
  readonly service: ImportService;
  /**
   * Adds files shared by other apps, except those already being imported. A file is dropped once it has been
   * imported, canceled, or found to have no audio.
   */
  addShared(files: readonly SharedFile[]): void;
  /** Shows shared files that could not be received as failed imports. */
  addFailed: SharingFailed;
  /** Deletes what incomplete imports have left behind after a crash. */
  sweep(): Promise<void>;
  /** Cancels all imports. Shared files are not dropped, and are imported after the next sign-in. */
  stop(): void;
} {
  const { records, audio, workshop, uid, onStored, onError } = options;
  const state = writable<readonly Import[]>([]);
  const question = writable<ImportQuestion | null>(null);
  let answer: (choice: ImportChoice) => void = () => {};
  /** Settles when the user has answered all earlier questions. Only one question is open at a time. */
  let lastChoice: Promise<unknown> = Promise.resolve();
  const queue: QueuedFile[] = [];
  /** The shared files, by import id. */
  const shared = new Map<string, SharedFile>();
  /** Settles when `sweep` has finished. */
  let swept: Promise<unknown> = Promise.resolve();
  let current: { readonly id: string; readonly control: AbortController } | null = null;

  function setState(id: string, newState: Import['state']): void {
    state.set(state.get().map((each) => (each.id === id ? { ...each, state: newState } : each)));
  }

  function removeImport(id: string): void {
    state.set(state.get().filter((each) => each.id !== id));
  }

  /** Drops a shared file. If dropping fails, the file stays in `shared`, which prevents a second import. */
  async function dropShared(id: string): Promise<void> {
    await shared
      .get(id)
      ?.drop()
      .then(() => shared.delete(id), onError);
  }

  /** Returns whether a shared file was imported earlier, but the app was terminated before dropping it. */
  async function wasImported(id: string): Promise<boolean> {
    if (!shared.has(id)) return false;
    const [work, deleted] = await Promise.all([records.work([id]), records.tombstones([id])]);
    return work.has(id) || deleted.has(id);
  }

  /** Asks the user for a confirmation if transcribing the files would use much of the balance. */
  async function requestChoice(
    files: readonly File[],
    balance: Pick<ImportQuestion, 'leftMinutes'>,
  ): Promise<ImportChoice> {
    const durations = await Promise.all(files.map(estimateSeconds));
    const seconds = durations.reduce((sum, duration) => sum + duration, 0);
    if (seconds <= CONFIRM_SECONDS) return 'transcribe';
    const { promise, resolve } = Promise.withResolvers<ImportChoice>();
    answer = resolve;
    question.set({ files: files.length, seconds, ...balance });
    const choice = await promise;
    question.set(null);
    return choice;
  }

  /** @returns whether the files were queued; false if the user canceled or signed out */
  async function add(added: readonly AddedFile[]): Promise<boolean> {
    const owner = uid();
    if (owner === null) return false;
    const balance = options.balanceUsed();
    if (balance === null) {
      enqueue(added, owner, true);
      return true;
    }
    const files = added.map(({ file }) => file);
    const pendingChoice = lastChoice.then(() => requestChoice(files, balance));
    // A failure must not block the next question. It is reported by `await pendingChoice`.
    lastChoice = pendingChoice.catch(() => {});
    const choice = await pendingChoice;
    // After a sign-out, shared files stay stored and are imported at the next start.
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

  async function importFile(
    { id, file, owner, autoTranscribe }: QueuedFile,
    signal: AbortSignal,
  ): Promise<void> {
    const setProgress = (fraction: number) => setState(id, { status: 'working', fraction });
    setProgress(0);
    await swept;
    if (await wasImported(id)) return;
    let isStored = false;
    try {
      signal.throwIfAborted();
      await workshop.convert(
        id,
        file,
        (fraction) => setProgress(fraction * DECODING_SHARE),
        signal,
      );
      const finished = await audio.finish(id, (fraction) =>
        setProgress(DECODING_SHARE + fraction * (1 - DECODING_SHARE)),
      );
      signal.throwIfAborted();
      await records.add({
        id,
        uid: owner,
        title: titleOf(file.name),
        createDate: new Date(file.lastModified).toISOString(),
        audio: finished,
        autoTranscribe,
      });
      isStored = true;
    } finally {
      if (!isStored) await audio.remove(id);
    }
    onStored();
    // The recording is complete without its packets. If they cannot be deleted now, `sweep` deletes them later.
    await audio.discardPackets(id).catch(onError);
  }

  async function processQueue(): Promise<void> {
    if (current) return;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { id } = next;
      const control = new AbortController();
      current = { id, control };
      try {
        await importFile(next, control.signal);
        removeImport(id);
        // Drop the file only now: until the record exists, a retry needs it.
        await dropShared(id);
      } catch (error) {
        const code = failureCode(error);
        if (control.signal.aborted) removeImport(id);
        else setState(id, { status: 'failed', code: code ?? 'io_failed' });
        if (!control.signal.aborted && !code) onError(error);
        // Other failures may be temporary, so the file is kept and imported at the next start.
        if (code && permanentFailures.has(code)) await dropShared(id);
      } finally {
        current = null;
      }
    }
  }

  async function sweep(): Promise<void> {
    const leftovers = (await workshop.list()).packets.filter(isImportId);
    const imported = await records.work(leftovers);
    for (const id of leftovers) {
      if (imported.has(id)) await audio.discardPackets(id);
      else await audio.remove(id);
    }
  }

  return {
    service: {
      state,
      question,
      add: (files) => add(files.map((file) => ({ id: importId(), file }))),
      answer: (choice) => answer(choice),
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
      const filesWithId = files.map((file) => ({ id: importId(file.key), ...file }));
      const newFiles = filesWithId.filter(({ id }) => !shared.has(id));
      for (const file of newFiles) shared.set(file.id, file);
      add(newFiles).catch(onError);
    },
    addFailed(names, code = 'io_failed') {
      const failed = { status: 'failed', code } as const;
      state.set([
        ...state.get(),
        ...names.map((name) => ({ id: importId(), name, state: failed })),
      ]);
    },
    sweep() {
      const sweeping = sweep();
      // New imports wait for the cleanup, because a retried import writes to the same files. They start even if the
      // cleanup fails, which the caller reports.
      swept = sweeping.catch(() => {});
      return sweeping;
    },
    stop() {
      queue.length = 0;
      // Clear `shared` before canceling the question, so that the files are not dropped.
      shared.clear();
      answer('cancel');
      current?.control.abort();
      state.set([]);
    },
  };
}
