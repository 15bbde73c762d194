/**
 * Transfers a Pocket's recordings, one file at a time, newest first, and imports them unchanged. A file is imported
 * only if all its bytes have arrived and its frames are consecutive. After a lost connection, the file is read again
 * from its start, because the recorder can't resume. A received file is held in memory until it's imported. Nothing is
 * deleted from the recorder.
 */
import { Coalesced, type Store, writable } from '@linnet/base';
import { TransportError } from '@linnet/device/transport';
import { PocketError, type PocketFile, type PocketSession } from '@linnet/pocket';
import {
  AudioStoreError,
  type Clock,
  type FileImporter,
  type Log,
  StorageFull,
} from '@linnet/sync';
import type { FailedPocketFile, PocketTransfer } from '../../ports/pocket.ts';
import { getId, transferredFiles } from './transferred-files.ts';

/** Maximum number of attempts to read a file whose bytes don't arrive as announced. */
const ATTEMPTS = 3;
/** Interval in milliseconds between searches for new recordings while connected. */
const POLL_MS = 60_000;
/** Minimum interval in milliseconds between progress reports. */
const PROGRESS_MS = 500;

/** Failures that another attempt may fix. */
const temporary: ReadonlySet<string> = new Set(['silent', 'file_incomplete', 'file_damaged']);

export type FileSyncOptions = {
  readonly session: Store<PocketSession | null>;
  readonly owner: () => string | null;
  /** Returns the recorder's name. */
  readonly recorder: () => string;
  readonly importer: Pick<FileImporter, 'import'>;
  readonly clock: Clock;
  /** Closes the session, the only way to end a transfer, and opens a new one. */
  readonly reopen: () => Promise<unknown>;
  readonly onStored: () => void;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

export type FileSyncState = {
  readonly transfer: PocketTransfer | null;
  readonly failed: readonly FailedPocketFile[];
  readonly isListMissing: boolean;
};

/** A complete file that hasn't been imported yet. */
type HeldFile = {
  readonly uid: string;
  readonly recorder: string;
  /** See {@link getId}. */
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

type FileSync = {
  readonly state: Store<FileSyncState>;
  skip(): void;
  /** Call it once the session is closed. */
  stop(): Promise<void>;
};

const initialState: FileSyncState = { transfer: null, failed: [], isListMissing: false };

/** Returns the name for importing a file. The import reads the date from it. */
function fileName({ date, time }: PocketFile): string {
  const [hours, minutes, seconds] = [8, 10, 12].map((start) => time.slice(start, start + 2));
  return `Pocket ${date} ${hours}-${minutes}-${seconds}.mp3`;
}

export function createFileSync(options: FileSyncOptions): FileSync {
  const { session, importer, clock, log, onError } = options;
  const state = writable<FileSyncState>(initialState);
  const change = (changes: Partial<FileSyncState>) => state.set({ ...state.get(), ...changes });
  /** Files that were skipped or couldn't be transferred since the app started. */
  let skippedIds = new Set<string>();
  /** Number of connection losses by file. Files with losses come last, so that they don't block the others. */
  let losses = new Map<string, number>();
  /** The files' IDs in the previous list. */
  let previousIds = new Set<string>();
  /** The received file. Only one, because a file may have hundreds of megabytes. */
  let heldFile: HeldFile | null = null;
  let stopping = new AbortController();
  let skipping = new AbortController();
  let polling = new AbortController();

  function createProgress(number: number, total: number) {
    const startedAt = clock.elapsed();
    let reportedAt = Number.NEGATIVE_INFINITY;
    return (bytes: number, size: number) => {
      const now = clock.elapsed();
      if (bytes < size && now - reportedAt < PROGRESS_MS) return;
      reportedAt = now;
      const secondsLeft = bytes > 0 ? ((now - startedAt) / 1000) * ((size - bytes) / bytes) : null;
      change({ transfer: { number, total, bytes, size, secondsLeft } });
    };
  }

  function fail(file: PocketFile, code: FailedPocketFile['code']): void {
    skippedIds.add(getId(file));
    log('pocket.file_failed', { code });
    change({ failed: [...state.get().failed, { time: file.time, code }] });
  }

  /**
   * Reads a file, with retries.
   * @returns null if it must stay on the recorder
   * @throws {TransportError} `aborted` if the user has skipped it
   */
  async function read(
    current: PocketSession,
    file: PocketFile,
    onProgress: (bytes: number, size: number) => void,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const { signal } = skipping;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await current.read(file, { onProgress, signal });
      } catch (error) {
        if (signal.aborted) skippedIds.add(getId(file));
        else if (error instanceof TransportError) {
          losses.set(getId(file), (losses.get(getId(file)) ?? 0) + 1);
        }
        if (signal.aborted || !(error instanceof PocketError)) throw error;
        if (temporary.has(error.code) && attempt < ATTEMPTS) continue;
        fail(file, error.code);
        return null;
      }
    }
  }

  /** Returns whether a file has grown during the read because it's still being recorded. */
  async function hasGrown(current: PocketSession, file: PocketFile): Promise<boolean> {
    const files = await current.listDate(file.date);
    const listedFile = files.find(({ time }) => time === file.time);
    return listedFile !== undefined && listedFile.extent !== file.extent;
  }

  /**
   * Returns the held file, or reads it and holds it.
   * @returns null if it must stay on the recorder for now
   * @throws as `read` does
   */
  async function obtain(
    current: PocketSession,
    key: Omit<HeldFile, 'bytes'>,
    file: PocketFile,
    onProgress: (bytes: number, size: number) => void,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    if (heldFile?.id === key.id) {
      // The list is newer than the held file, so the file hasn't grown.
      onProgress(heldFile.bytes.length, heldFile.bytes.length);
      return heldFile.bytes;
    }
    // Two files might not fit in memory.
    heldFile = null;
    onProgress(0, 0);
    const bytes = await read(current, file, onProgress);
    if (!bytes) return null;
    heldFile = { ...key, bytes };
    if (!(await hasGrown(current, file))) return bytes;
    heldFile = null;
    return null;
  }

  /** @returns whether the account now has the recording or has permanently deleted it */
  async function importFile(
    uid: string,
    file: PocketFile,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<boolean> {
    try {
      const { status } = await importer.import(
        {
          uid,
          file: new File([bytes], fileName(file), { lastModified: clock.now() }),
          autoTranscribe: true,
          isPicked: false,
        },
        () => {},
        stopping.signal,
      );
      log('pocket.imported', { status, bytes: bytes.length });
      if (status === 'imported') options.onStored();
      return true;
    } catch (error) {
      // The other files would fail as well.
      if (!(error instanceof AudioStoreError) || error.code === 'storage_full') throw error;
      fail(file, error.code);
      return false;
    }
  }

  /**
   * Returns whether a file may still be growing: the recorder isn't idle, and the file is the newest and has changed
   * since the last list.
   */
  function mayGrow(current: PocketSession, file: PocketFile, newestTime: string): boolean {
    const isBusy = current.status.get().isIdle === false;
    return isBusy && file.time === newestTime && !previousIds.has(getId(file));
  }

  async function transferAll(current: PocketSession, uid: string): Promise<void> {
    skipping = new AbortController();
    const recorder = options.recorder();
    await current.refresh();
    const { files: listed, isComplete } = await current.list();
    if (!isComplete) log('pocket.list_failed', { code: 'list_incomplete' });
    change({ isListMissing: !isComplete });
    const newestTime = listed.reduce((last, { time }) => (time > last ? time : last), '');
    const waitingFiles = new Set(listed.filter((file) => mayGrow(current, file, newestTime)));
    previousIds = new Set(listed.map(getId));
    const remembered = transferredFiles.get(uid, recorder);
    // Forget files that the recorder no longer has. Only a complete list shows this.
    const doneIds = new Set(remembered);
    if (isComplete) for (const id of remembered) if (!previousIds.has(id)) doneIds.delete(id);
    const isHeldListed = heldFile !== null && (previousIds.has(heldFile.id) || !isComplete);
    if (!isHeldListed || heldFile?.uid !== uid || heldFile.recorder !== recorder) heldFile = null;
    const files = listed
      .filter(
        (file) =>
          ![doneIds, skippedIds].some((ids) => ids.has(getId(file))) && !waitingFiles.has(file),
      )
      .toSorted((a, b) => b.time.localeCompare(a.time))
      .toSorted((a, b) => (losses.get(getId(a)) ?? 0) - (losses.get(getId(b)) ?? 0))
      .toSorted((a, b) => Number(getId(b) === heldFile?.id) - Number(getId(a) === heldFile?.id));
    for (const [index, file] of files.entries()) {
      if (session.get() !== current || options.owner() !== uid) return;
      skipping = new AbortController();
      const onProgress = createProgress(index + 1, files.length);
      const id = getId(file);
      const bytes = await obtain(current, { uid, recorder, id }, file, onProgress);
      if (!bytes) continue;
      if (options.owner() !== uid) return;
      const isImported = await importFile(uid, file, bytes);
      heldFile = null;
      if (!isImported) continue;
      doneIds.add(id);
      transferredFiles.set(uid, recorder, doneIds);
      await current.refresh();
    }
  }

  /** Schedules a search for new recordings. */
  function poll(): void {
    polling = new AbortController();
    const { signal } = polling;
    clock.sleep(POLL_MS, signal).then(wake, (error: unknown) => !signal.aborted && onError(error));
  }

  const pass = new Coalesced(async () => {
    polling.abort();
    const current = session.get();
    const uid = options.owner();
    if (!current || uid === null) return;
    try {
      await transferAll(current, uid);
    } catch (error) {
      if (skipping.signal.aborted) void options.reopen().catch(onError);
      // The next connection continues. The app shows a full disk elsewhere.
      else if (error instanceof PocketError) {
        log('pocket.list_failed', { code: error.code });
        change({ isListMissing: true });
      } else if (error instanceof AudioStoreError)
        log('pocket.import_failed', { code: error.code });
      else if (
        !(error instanceof TransportError || error instanceof StorageFull) &&
        !stopping.signal.aborted
      ) {
        onError(error);
      }
    } finally {
      change({ transfer: null });
    }
    if (session.get() === current) poll();
  });
  let running: Promise<unknown> = Promise.resolve();
  function wake(): void {
    running = Promise.all([running, pass.run().catch(onError)]);
  }
  session.subscribe(wake);

  return {
    state,
    skip: () => skipping.abort(new TransportError('aborted')),
    async stop() {
      stopping.abort(new TransportError('aborted'));
      polling.abort();
      await running;
      stopping = new AbortController();
      skippedIds = new Set();
      previousIds = new Set();
      losses = new Map();
      heldFile = null;
      state.set(initialState);
    },
  };
}
