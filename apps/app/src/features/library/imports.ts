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

/** Maximum duration in seconds imported without a confirmation: ten minutes of the balance. */
const CONFIRM_SECONDS = 600;

/** Share of decoding in an import's progress; the remainder is writing the stored files. */
const DECODING_SHARE = 0.9;

/** Failures caused by the file itself, which are not retried. */
const permanentFailures: ReadonlySet<AudioStoreErrorCode> = new Set([
  'not_audio',
  'no_sound',
  'too_large',
]);

/** The failure code of an import; null for a defect. */
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
   * The balance that automatic transcription of imports uses, in minutes if known. Null if imports are not
   * transcribed automatically, or transcription is free.
   */
  readonly balanceUsed: () => Pick<ImportQuestion, 'leftMinutes'> | null;
  /** Called when a recording is completely imported. */
  readonly onStored: () => void;
  readonly onError: (error: unknown) => void;
};

/**
 * A file shared by another app, persisted until `drop` is called, since a phone may end the app at any time. `key`
 * is never reused on this phone.
 */
export type SharedFile = { readonly key: string; readonly file: File; drop(): Promise<void> };

/** Reports shared files that could not be received. */
export type SharingFailed = (names: readonly string[], code?: 'storage_full' | 'io_failed') => void;

type Added = { readonly id: string; readonly file: File };
type Queued = Added & { readonly owner: string; readonly autoTranscribe: boolean };

/** The title of an imported recording: the file's name without its extension. */
export function titleOf(fileName: string): string {
  const bare = fileName.replace(/\.[^.\s]{1,5}$/u, '').trim();
  return (bare || fileName).slice(0, limits.recording.nameMaxLength);
}

/**
 * Imports audio files one after the other. Each is converted to a recorder's packets and then processed like a
 * recording. The record is added last, together with the audio; until then a temporary file marks the import as
 * incomplete.
 */
export function createImports(options: ImportOptions): {
  readonly service: ImportService;
  /**
   * Like `add`, for files that persist until they are imported, canceled, or found to have no audio. Skips files
   * already being imported.
   */
  addShared(files: readonly SharedFile[]): void;
  /** Reports shared files that could not be received. */
  addFailed: SharingFailed;
  /** Deletes the leftovers of incomplete imports after a crash. */
  sweep(): Promise<void>;
  stop(): void;
} {
  const { records, audio, workshop, uid, onStored, onError } = options;
  const state = writable<readonly Import[]>([]);
  const question = writable<ImportQuestion | null>(null);
  let answer: (choice: ImportChoice) => void = () => {};
  /** Settles when earlier additions are confirmed or canceled, since only one question is open at a time. */
  let lastChoice: Promise<unknown> = Promise.resolve();
  const queue: Queued[] = [];
  /** Shared files by import. */
  const shared = new Map<string, SharedFile>();
  /** Settles when the leftovers of a crash are deleted. */
  let swept: Promise<unknown> = Promise.resolve();
  let current: { readonly id: string; readonly control: AbortController } | null = null;

  function report(id: string, now: Import['state']): void {
    state.set(state.get().map((each) => (each.id === id ? { ...each, state: now } : each)));
  }
  function forget(id: string): void {
    state.set(state.get().filter((each) => each.id !== id));
  }
  /** Drops a shared file. A file that cannot be dropped stays known, so that it is not imported again. */
  async function dropShared(id: string): Promise<void> {
    await shared
      .get(id)
      ?.drop()
      .then(() => shared.delete(id), onError);
  }
  /** Whether a shared file was already imported, and the app ended before dropping it. */
  async function wasImported(id: string): Promise<boolean> {
    if (!shared.has(id)) return false;
    const [work, deleted] = await Promise.all([records.work([id]), records.tombstones([id])]);
    return work.has(id) || deleted.has(id);
  }
  /** Requests a confirmation if transcribing the files would use much of the balance. */
  async function requestChoice(
    files: readonly File[],
    balance: Pick<ImportQuestion, 'leftMinutes'>,
  ): Promise<ImportChoice> {
    const lengths = await Promise.all(files.map(estimateSeconds));
    const seconds = lengths.reduce((sum, length) => sum + length, 0);
    if (seconds <= CONFIRM_SECONDS) return 'transcribe';
    const { promise, resolve } = Promise.withResolvers<ImportChoice>();
    answer = resolve;
    question.set({ files: files.length, seconds, ...balance });
    const choice = await promise;
    question.set(null);
    return choice;
  }
  /** @returns whether the files are imported */
  async function add(added: readonly Added[]): Promise<boolean> {
    const owner = uid();
    if (owner === null) return false;
    const balance = options.balanceUsed();
    if (balance === null) {
      enqueue(added, owner, true);
      return true;
    }
    const files = added.map(({ file }) => file);
    const chosen = lastChoice.then(() => requestChoice(files, balance));
    // The next question opens even if this one fails; `await chosen` reports the failure.
    lastChoice = chosen.catch(() => {});
    const choice = await chosen;
    // After a sign-out, shared files are imported at the next start.
    if (uid() !== owner) return false;
    if (choice === 'cancel') {
      for (const { id } of added) await dropShared(id);
      return false;
    }
    enqueue(added, owner, choice === 'transcribe');
    return true;
  }
  function enqueue(added: readonly Added[], owner: string, autoTranscribe: boolean): void {
    queue.push(...added.map((each) => ({ ...each, owner, autoTranscribe })));
    state.set([
      ...state.get(),
      ...added.map(
        ({ id, file }): Import => ({ id, name: file.name, state: { status: 'waiting' } }),
      ),
    ]);
    void work();
  }

  async function importFile(
    { id, file, owner, autoTranscribe }: Queued,
    signal: AbortSignal,
  ): Promise<void> {
    const progress = (fraction: number) => report(id, { status: 'working', fraction });
    progress(0);
    await swept;
    if (await wasImported(id)) return;
    let stored = false;
    try {
      signal.throwIfAborted();
      await workshop.convert(id, file, (fraction) => progress(fraction * DECODING_SHARE), signal);
      const finished = await audio.finish(id, (fraction) =>
        progress(DECODING_SHARE + fraction * (1 - DECODING_SHARE)),
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
      stored = true;
    } finally {
      if (!stored) await audio.remove(id);
    }
    onStored();
    // The recording is complete; packets that cannot be deleted now are deleted at the next start.
    await audio.discardPackets(id).catch(onError);
  }

  async function work(): Promise<void> {
    if (current) return;
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { id } = next;
      const control = new AbortController();
      current = { id, control };
      try {
        await importFile(next, control.signal);
        forget(id);
        // A retry needs the file until the record exists.
        await dropShared(id);
      } catch (error) {
        const code = failureCode(error);
        if (control.signal.aborted) forget(id);
        else report(id, { status: 'failed', code: code ?? 'io_failed' });
        if (!control.signal.aborted && !code) onError(error);
        // Other failures may be temporary, so their files are retried at the next start.
        if (code && permanentFailures.has(code)) await dropShared(id);
      } finally {
        current = null;
      }
    }
  }

  async function sweep(): Promise<void> {
    const leftovers = (await workshop.list()).packets.filter(isImportId);
    const known = await records.work(leftovers);
    for (const id of leftovers) {
      if (known.has(id)) await audio.discardPackets(id);
      else await audio.remove(id);
    }
  }

  return {
    service: {
      state,
      question,
      add: (files) => add(files.map((file) => ({ id: importId(), file }))),
      result: (choice) => answer(choice),
      cancel(id) {
        void dropShared(id);
        if (current?.id === id) return current.control.abort();
        const at = queue.findIndex((each) => each.id === id);
        if (at >= 0) queue.splice(at, 1);
        forget(id);
      },
    },
    addShared(files) {
      if (uid() === null) return;
      const named = files.map((each) => ({ id: importId(each.key), ...each }));
      const fresh = named.filter(({ id }) => !shared.has(id));
      for (const each of fresh) shared.set(each.id, each);
      add(fresh).catch(onError);
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
      // New imports wait for the cleanup, because a retried import uses the same files. They start even if it
      // fails; the caller reports the failure.
      swept = sweeping.catch(() => {});
      return sweeping;
    },
    stop() {
      queue.length = 0;
      shared.clear();
      // Shared files are not dropped, so that they are imported after the next sign-in.
      answer('cancel');
      current?.control.abort();
      state.set([]);
    },
  };
}
