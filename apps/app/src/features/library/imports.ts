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
import { lengthOf } from './file-length.ts';

/** Seconds of audio imported and transcribed without a question: ten minutes of the balance. */
const ASK_SECONDS = 600;

/** Share of an import's progress that is decoding; the rest is making the stored files. */
const CONVERTING = 0.9;

/** Failures caused by the file itself, for which retrying is pointless. */
const hopeless: ReadonlySet<AudioStoreErrorCode> = new Set(['not_audio', 'no_sound', 'too_large']);

/** The code of a failed import; null for a defect. */
function codeOf(error: unknown): AudioStoreErrorCode | null {
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
   * The balance that imports use without further confirmation, in minutes if known; null if imports are not
   * transcribed automatically, or transcription is free.
   */
  readonly balanceUsed: () => Pick<ImportQuestion, 'leftMinutes'> | null;
  /** Called when a recording is completely imported. */
  readonly onStored: () => void;
  readonly onError: (error: unknown) => void;
};

/**
 * A file shared by another app, kept until `drop` is called, since a phone may end the app at any moment.
 * `key` is unique among all files ever shared with this phone.
 */
export type SharedFile = { readonly key: string; readonly file: File; drop(): Promise<void> };

/** Reports shared files that could not be received, by name, with the reason. */
export type SharingFailed = (names: readonly string[], code?: 'storage_full' | 'io_failed') => void;

type Added = { readonly id: string; readonly file: File };
type Waiting = Added & { readonly owner: string; readonly autoTranscribe: boolean };

/** The title of an imported recording: the file's name without its extension. */
export function titleOf(fileName: string): string {
  const bare = fileName.replace(/\.[^.\s]{1,5}$/u, '').trim();
  return (bare || fileName).slice(0, limits.recording.nameMaxLength);
}

/**
 * Imports audio files one after the other. Each is converted to packets like a recorder's, and processed like
 * a recording from then on. It gets its record at the very end, together with its audio; until then its
 * temporary file marks it as incomplete.
 */
export function createImports(options: ImportOptions): {
  readonly service: ImportService;
  /**
   * Like `add`, for files that are kept until they are imported, canceled, or found to have no audio. Files
   * already being imported are skipped.
   */
  addShared(files: readonly SharedFile[]): void;
  /** Reports shared files that could not be received. */
  addFailed: SharingFailed;
  /** Deletes the remains of incomplete imports after a crash. */
  sweep(): Promise<void>;
  stop(): void;
} {
  const { records, audio, workshop, uid, onStored, onError } = options;
  const state = writable<readonly Import[]>([]);
  const question = writable<ImportQuestion | null>(null);
  let answer: (choice: ImportChoice) => void = () => {};
  /** Settles when earlier additions are decided, since only one question is asked at a time. */
  let asked: Promise<unknown> = Promise.resolve();
  const waiting: Waiting[] = [];
  /** Shared files by import. */
  const shared = new Map<string, SharedFile>();
  /** Settles when the remains of a crash are deleted. */
  let swept: Promise<unknown> = Promise.resolve();
  let current: { readonly id: string; readonly control: AbortController } | null = null;

  function report(id: string, now: Import['state']): void {
    state.set(state.get().map((each) => (each.id === id ? { ...each, state: now } : each)));
  }
  function forget(id: string): void {
    state.set(state.get().filter((each) => each.id !== id));
  }
  /** A file that cannot be dropped must not be imported again. */
  async function dropShared(id: string): Promise<void> {
    await shared
      .get(id)
      ?.drop()
      .then(() => shared.delete(id), onError);
  }
  /** Whether a shared file was imported before, and the app ended before dropping it. */
  async function cameBefore(id: string): Promise<boolean> {
    if (!shared.has(id)) return false;
    const [work, deleted] = await Promise.all([records.work([id]), records.tombstones([id])]);
    return work.has(id) || deleted.has(id);
  }
  /** Asks if transcribing the files would use much of the balance. @returns the choice */
  async function choose(
    files: readonly File[],
    balance: Pick<ImportQuestion, 'leftMinutes'>,
  ): Promise<ImportChoice> {
    const lengths = await Promise.all(files.map(lengthOf));
    const seconds = lengths.reduce((sum, length) => sum + length, 0);
    if (seconds <= ASK_SECONDS) return 'transcribe';
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
    const chosen = asked.then(() => choose(files, balance));
    asked = chosen.catch(() => {});
    const choice = await chosen;
    // Signed out meanwhile; shared files wait for the next start.
    if (uid() !== owner) return false;
    if (choice === 'cancel') {
      for (const { id } of added) await dropShared(id);
      return false;
    }
    enqueue(added, owner, choice === 'transcribe');
    return true;
  }
  function enqueue(added: readonly Added[], owner: string, autoTranscribe: boolean): void {
    waiting.push(...added.map((each) => ({ ...each, owner, autoTranscribe })));
    state.set([
      ...state.get(),
      ...added.map(
        ({ id, file }): Import => ({ id, name: file.name, state: { status: 'waiting' } }),
      ),
    ]);
    void work();
  }

  async function take(
    { id, file, owner, autoTranscribe }: Waiting,
    signal: AbortSignal,
  ): Promise<void> {
    const progress = (fraction: number) => report(id, { status: 'working', fraction });
    progress(0);
    await swept;
    if (await cameBefore(id)) return;
    let stored = false;
    try {
      signal.throwIfAborted();
      await workshop.convert(id, file, (fraction) => progress(fraction * CONVERTING), signal);
      const made = await audio.finish(id, (fraction) =>
        progress(CONVERTING + fraction * (1 - CONVERTING)),
      );
      signal.throwIfAborted();
      await records.add({
        id,
        uid: owner,
        title: titleOf(file.name),
        createDate: new Date(file.lastModified).toISOString(),
        audio: made,
        autoTranscribe,
      });
      stored = true;
    } finally {
      if (!stored) await audio.remove(id);
    }
    onStored();
    // The recording exists, whether the packets are deleted now or at the next start.
    await audio.discardPackets(id).catch(onError);
  }

  async function work(): Promise<void> {
    if (current) return;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id } = next;
      const control = new AbortController();
      current = { id, control };
      try {
        await take(next, control.signal);
        forget(id);
        // Only now, since another attempt would have needed the file until its record existed.
        await dropShared(id);
      } catch (error) {
        const code = codeOf(error);
        if (control.signal.aborted) forget(id);
        else report(id, { status: 'failed', code: code ?? 'io_failed' });
        if (!control.signal.aborted && !code) onError(error);
        // Other failures may be gone by the next start.
        if (code && hopeless.has(code)) await dropShared(id);
      } finally {
        current = null;
      }
    }
  }

  async function sweep(): Promise<void> {
    const left = (await workshop.list()).packets.filter(isImportId);
    const known = await records.work(left);
    for (const id of left) {
      if (known.has(id)) await audio.discardPackets(id);
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
        const at = waiting.findIndex((each) => each.id === id);
        if (at >= 0) waiting.splice(at, 1);
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
      // New imports wait, because another attempt at an interrupted one uses the same files.
      swept = sweeping.catch(() => {});
      return sweeping;
    },
    stop() {
      waiting.length = 0;
      shared.clear();
      // Nothing is dropped, because signing out is not a decision about the files.
      answer('cancel');
      current?.control.abort();
      state.set([]);
    },
  };
}
