/**
 * Measures the disk space that Linnet uses on this phone, and frees it on request or according to the storage setting.
 * `createPhoneCopies` decides which copies may be deleted, and never deletes a recording's last copy.
 */
import {
  type AudioStore,
  type Cloud,
  type CloudResult,
  createPhoneCopies,
  type RecordStore,
  type StoragePolicy,
  type StoredFile,
} from '@linnet/sync';
import type { PhoneSpace, PhoneSpaceService } from '../../ports/phone-space.ts';
import type { SettingsService } from '../../ports/settings.ts';
import { live } from '../../stores.ts';
import type { InUse } from './in-use.ts';

/** Reads the sizes of stored files from the platform, in bytes. */
export type StoredFiles = {
  /** Lists the recordings' files. `kind` is the file name's extension. */
  audio(): Promise<readonly StoredFile[]>;
  /** Returns the database's size. */
  database(): Promise<number>;
  /** Returns the total usage and quota, or null if the platform doesn't report them. */
  estimate(): Promise<{ readonly usage: number; readonly quota: number } | null>;
};

/** Minimum interval between measurements in milliseconds. A measurement reads the size of every file. */
const MEASURE_MS = 1000;

/** File name extension of denoised versions. */
const DENOISED_KIND = 'cleaner.ogg';

const totalBytes = (files: readonly { readonly bytes: number }[]) =>
  files.reduce((total, { bytes }) => total + bytes, 0);

export type PhoneSpaceOptions = {
  readonly records: Pick<
    RecordStore,
    'detail' | 'update' | 'work' | 'summaries' | 'binned' | 'tombstones' | 'subscribe'
  >;
  readonly audio: Pick<AudioStore, 'master' | 'remove'>;
  readonly files: StoredFiles;
  readonly inUse: Pick<InUse, 'has'>;
  readonly cloudDigest: Cloud['digest'];
  readonly settings: Pick<SettingsService, 'set'>;
  /** Reads the current storage setting and its grace periods. */
  readonly storage: () => Promise<StoragePolicy>;
  /** Pushes pending changes to the server and pulls its changes. */
  readonly poll: () => Promise<CloudResult<null>>;
  readonly uid: () => string | null;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

export function createPhoneSpace(options: PhoneSpaceOptions): {
  readonly service: PhoneSpaceService;
  /** Deletes the local copies that the storage setting doesn't retain. */
  applyStoragePolicy(): Promise<void>;
  /** Completes deletions that were interrupted when the app was closed. */
  sweep(): Promise<void>;
} {
  const { records, files, inUse, settings, uid, onError } = options;

  /** Returns which of the recordings belong to other accounts. */
  async function findForeignIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const owner = uid();
    const [workById, summaries, binned] = await Promise.all([
      records.work(ids),
      owner === null ? [] : records.summaries(owner),
      owner === null ? [] : records.binned(owner),
    ]);
    const ownIds = new Set([...summaries, ...binned].map(({ id }) => id));
    return new Set(ids.filter((id) => workById.has(id) && !ownIds.has(id)));
  }

  async function measure(): Promise<PhoneSpace> {
    const [audioFiles, database, estimate] = await Promise.all([
      files.audio(),
      files.database(),
      files.estimate(),
    ]);
    const denoised = totalBytes(audioFiles.filter(({ kind }) => kind === DENOISED_KIND));
    const allAudio = totalBytes(audioFiles);
    const byRecording = [...Map.groupBy(audioFiles, ({ id }) => id)].map(([id, files]) => ({
      id,
      bytes: totalBytes(files),
    }));
    const others = await findForeignIds(byRecording.map(({ id }) => id));
    return {
      audio: allAudio - denoised,
      denoised,
      database,
      rest: estimate ? Math.max(0, estimate.usage - allAudio - database) : 0,
      free: estimate && Math.max(0, estimate.quota - estimate.usage),
      recordings: byRecording.filter(({ id }) => !others.has(id)).sort((a, b) => b.bytes - a.bytes),
      others: totalBytes(byRecording.filter(({ id }) => others.has(id))),
    };
  }

  /**
   * Called after files have been deleted. The records change earlier, so a measurement triggered by that change may
   * still include the files.
   */
  const onDeleted = new Set<() => void>();

  /** Notifies the listener of changes, at most once per measurement interval. */
  function watch(listener: () => void): () => void {
    let timer = 0;
    const schedule = () => {
      timer ||= window.setTimeout(() => {
        timer = 0;
        listener();
      }, MEASURE_MS);
    };
    const unsubscribe = records.subscribe(schedule);
    onDeleted.add(schedule);
    return () => {
      unsubscribe();
      onDeleted.delete(schedule);
      clearTimeout(timer);
    };
  }

  const audio: PhoneSpaceOptions['audio'] = {
    master: (id) => options.audio.master(id),
    async remove(id) {
      await options.audio.remove(id);
      for (const schedule of onDeleted) schedule();
    },
  };

  const copies = createPhoneCopies({
    ...options,
    audio,
    files: () => files.audio(),
    isInUse: (id, fromRecordingPage) => inUse.has(id, fromRecordingPage ? 'work' : undefined),
    set: (...setting) => settings.set(...setting),
  });

  return {
    service: {
      space: live(measure, watch, onError, uid),
      free: (ids, { fromRecordingPage = false } = {}) =>
        copies.free(ids, fromRecordingPage).catch((error: unknown) => {
          onError(error);
          return { ok: false, code: 'phone' };
        }),
    },
    applyStoragePolicy: copies.applyStoragePolicy,
    sweep: copies.sweep,
  };
}
