import { limits } from '@linnet/contract/limits';
import {
  type AudioStore,
  AudioStoreError,
  type AudioStoreErrorCode,
  type AudioWorkshop,
  importId,
  isImportId,
  NoRoom,
  type RecordStore,
} from '@linnet/sync';
import type { Import, ImportService } from '../../services.ts';
import { writable } from '../../stores.ts';

/** The share of an import that is decoding the file; the rest makes the files that are kept. */
const CONVERTING = 0.9;

/** What is wrong with a file itself: another time it would be, too. */
const hopeless: ReadonlySet<AudioStoreErrorCode> = new Set(['not_audio', 'no_sound', 'too_large']);

/** Why an import failed; null is a defect. */
function codeOf(error: unknown): AudioStoreErrorCode | null {
  if (error instanceof NoRoom) return 'storage_full';
  return error instanceof AudioStoreError ? error.code : null;
}

export type ImportOptions = {
  readonly records: Pick<RecordStore, 'add' | 'work' | 'tombstones'>;
  readonly audio: Pick<AudioStore, 'finish' | 'discardPackets' | 'remove'>;
  readonly workshop: Pick<AudioWorkshop, 'convert' | 'found'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Told when a recording is there, whole. */
  readonly onStored: () => void;
  readonly onError: (error: unknown) => void;
};

/**
 * A file that another app shared, kept until `drop` is called: a phone may end the app at any moment. `key` tells
 * one from every other that was ever shared with this phone.
 */
export type SharedFile = { readonly key: string; readonly file: File; drop(): Promise<void> };

/** Told of shared files that did not come, by their names, and why. */
export type SharingFailed = (names: readonly string[], code?: 'storage_full' | 'io_failed') => void;

/** What a recording from a file is called: the file's name without what tells its kind. */
export function titleOf(fileName: string): string {
  const bare = fileName.replace(/\.[^.\s]{1,5}$/u, '').trim();
  return (bare || fileName).slice(0, limits.recording.nameMaxLength);
}

/**
 * Takes audio files in, one after another: each becomes packets like a recorder's, and from then on goes
 * the way of a recording that came from one. It gets its record at the very end, together with its
 * sound; until then its temporary file tells that it is not whole.
 */
export function createImports(options: ImportOptions): {
  readonly service: ImportService;
  /**
   * Like `add`, of files that are kept until they are in, called off, or found to be no sound. Those that it has
   * already are left out.
   */
  addShared(files: readonly SharedFile[]): void;
  /** Says of shared files that they did not come. */
  addFailed: SharingFailed;
  /** Drops what a crash left of imports that were not whole. */
  sweep(): Promise<void>;
  stop(): void;
} {
  const { records, audio, workshop, uid, onStored, onError } = options;
  const state = writable<readonly Import[]>([]);
  const waiting: { readonly id: string; readonly file: File; readonly owner: string }[] = [];
  /** The shared file of an import. */
  const shared = new Map<string, SharedFile>();
  /** Settles when what a crash left is gone. */
  let swept: Promise<unknown> = Promise.resolve();
  let current: { readonly id: string; readonly control: AbortController } | null = null;

  function tell(id: string, now: Import['state']): void {
    state.set(state.get().map((each) => (each.id === id ? { ...each, state: now } : each)));
  }
  function forget(id: string): void {
    state.set(state.get().filter((each) => each.id !== id));
  }
  /** One that cannot be dropped is none that is shared anew. */
  async function dropShared(id: string): Promise<void> {
    await shared
      .get(id)
      ?.drop()
      .then(() => shared.delete(id), onError);
  }
  /** Whether a shared file came in before, and the app died before it was dropped. */
  async function cameBefore(id: string): Promise<boolean> {
    if (!shared.has(id)) return false;
    const [work, deleted] = await Promise.all([records.work([id]), records.tombstones([id])]);
    return work.has(id) || deleted.has(id);
  }
  function add(added: readonly { readonly id: string; readonly file: File }[]): void {
    const owner = uid();
    if (owner === null) return;
    waiting.push(...added.map((each) => ({ ...each, owner })));
    state.set([
      ...state.get(),
      ...added.map(
        ({ id, file }): Import => ({ id, name: file.name, state: { status: 'waiting' } }),
      ),
    ]);
    void work();
  }

  async function take(id: string, file: File, owner: string, signal: AbortSignal): Promise<void> {
    const told = (fraction: number) => tell(id, { status: 'working', fraction });
    told(0);
    await swept;
    if (await cameBefore(id)) return;
    let stored = false;
    try {
      signal.throwIfAborted();
      await workshop.convert(id, file, (fraction) => told(fraction * CONVERTING), signal);
      const made = await audio.finish(id, (fraction) =>
        told(CONVERTING + fraction * (1 - CONVERTING)),
      );
      signal.throwIfAborted();
      await records.add({
        id,
        uid: owner,
        title: titleOf(file.name),
        createDate: new Date(file.lastModified).toISOString(),
        audio: made,
      });
      stored = true;
    } finally {
      if (!stored) await audio.remove(id);
    }
    onStored();
    // The recording is there, whether they go now or at the next start.
    await audio.discardPackets(id).catch(onError);
  }

  async function work(): Promise<void> {
    if (current) return;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, file, owner } = next;
      const control = new AbortController();
      current = { id, control };
      try {
        await take(id, file, owner, control.signal);
        forget(id);
        // Only now: until its record was there, another try would have needed it.
        await dropShared(id);
      } catch (error) {
        const code = codeOf(error);
        if (control.signal.aborted) forget(id);
        else tell(id, { status: 'failed', code: code ?? 'io_failed' });
        if (!control.signal.aborted && !code) onError(error);
        // What else stopped it may have passed by the next start.
        if (code && hopeless.has(code)) await dropShared(id);
      } finally {
        current = null;
      }
    }
  }

  async function sweep(): Promise<void> {
    const left = (await workshop.found()).packets.filter(isImportId);
    const known = await records.work(left);
    for (const id of left) {
      if (known.has(id)) await audio.discardPackets(id);
      else await audio.remove(id);
    }
  }

  return {
    service: {
      state,
      add: (files) => add(files.map((file) => ({ id: importId(), file }))),
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
      add(fresh);
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
      // What is taken in meanwhile waits: another try at what a crash left has the same files.
      swept = sweeping.catch(() => {});
      return sweeping;
    },
    stop() {
      waiting.length = 0;
      shared.clear();
      current?.control.abort();
      state.set([]);
    },
  };
}
