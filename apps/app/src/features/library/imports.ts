import { limits } from '@linnet/contract/limits';
import {
  type AudioStore,
  AudioStoreError,
  type AudioStoreErrorCode,
  type AudioWorkshop,
  importId,
  isImportId,
  type RecordStore,
} from '@linnet/sync';
import type { Import, ImportService } from '../../services.ts';
import { writable } from '../../stores.ts';

/** The share of an import that is decoding the file; the rest makes the files that are kept. */
const CONVERTING = 0.9;

/** What is wrong with a file itself: another time it would be, too. */
const hopeless: ReadonlySet<AudioStoreErrorCode> = new Set(['not_audio', 'no_sound', 'too_large']);

export type ImportOptions = {
  readonly records: Pick<RecordStore, 'add' | 'work'>;
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
 * one from another.
 */
export type SharedFile = { readonly key: string; readonly file: File; drop(): Promise<void> };

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
  addFailed(names: readonly string[]): void;
  /** Drops what a crash left of imports that were not whole. */
  sweep(): Promise<void>;
  stop(): void;
} {
  const { records, audio, workshop, uid, onStored, onError } = options;
  const state = writable<readonly Import[]>([]);
  const waiting: { readonly id: string; readonly file: File; readonly owner: string }[] = [];
  /** The shared file of an import. */
  const shared = new Map<string, SharedFile>();
  let current: { readonly id: string; readonly control: AbortController } | null = null;

  function tell(id: string, now: Import['state']): void {
    state.set(state.get().map((each) => (each.id === id ? { ...each, state: now } : each)));
  }
  function forget(id: string): void {
    state.set(state.get().filter((each) => each.id !== id));
  }
  async function dropShared(id: string): Promise<void> {
    await shared.get(id)?.drop().catch(onError);
    shared.delete(id);
  }
  function add(files: readonly File[]): readonly string[] {
    const owner = uid();
    if (owner === null) return [];
    const added = files.map((file) => ({ id: importId(), file, owner }));
    waiting.push(...added);
    state.set([
      ...state.get(),
      ...added.map(
        ({ id, file }): Import => ({ id, name: file.name, state: { status: 'waiting' } }),
      ),
    ]);
    return added.map(({ id }) => id);
  }

  async function take(id: string, file: File, owner: string, signal: AbortSignal): Promise<void> {
    const told = (fraction: number) => tell(id, { status: 'working', fraction });
    told(0);
    let stored = false;
    try {
      await workshop.convert(id, file, (fraction) => told(fraction * CONVERTING), signal);
      const made = await audio.finish(id, (fraction) =>
        told(CONVERTING + fraction * (1 - CONVERTING)),
      );
      signal.throwIfAborted();
      // Before it is in the list: there it must not appear twice.
      await dropShared(id);
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
      } catch (error) {
        const known = error instanceof AudioStoreError;
        if (control.signal.aborted) forget(id);
        else tell(id, { status: 'failed', code: known ? error.code : 'io_failed' });
        if (!control.signal.aborted && !known) onError(error);
        // What else stopped it may have passed by the next start.
        if (known && hopeless.has(error.code)) await dropShared(id);
      } finally {
        current = null;
      }
    }
  }

  return {
    service: {
      state,
      add(files) {
        add(files);
        void work();
      },
      cancel(id) {
        void dropShared(id);
        if (current?.id === id) return current.control.abort();
        const at = waiting.findIndex((each) => each.id === id);
        if (at >= 0) waiting.splice(at, 1);
        forget(id);
      },
    },
    addShared(files) {
      const known = new Set([...shared.values()].map(({ key }) => key));
      const fresh = files.filter(({ key }) => !known.has(key));
      for (const [nth, id] of add(fresh.map(({ file }) => file)).entries()) {
        shared.set(id, fresh[nth] as SharedFile);
      }
      void work();
    },
    addFailed(names) {
      const failed = { status: 'failed', code: 'io_failed' } as const;
      state.set([
        ...state.get(),
        ...names.map((name) => ({ id: importId(), name, state: failed })),
      ]);
    },
    async sweep() {
      const left = (await workshop.found()).packets.filter(
        (id) => isImportId(id) && !state.get().some((each) => each.id === id),
      );
      const known = await records.work(left);
      for (const id of left) {
        if (known.has(id)) await audio.discardPackets(id);
        else await audio.remove(id);
      }
    },
    stop() {
      waiting.length = 0;
      shared.clear();
      current?.control.abort();
      state.set([]);
    },
  };
}
