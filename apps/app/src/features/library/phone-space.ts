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

/** The platform's view of stored files. */
export type StoredFiles = {
  /** Files of recordings; `kind` is the ending of their names. Bytes. */
  audio(): Promise<readonly StoredFile[]>;
  /** Bytes. */
  database(): Promise<number>;
  /** Total usage and quota in bytes; null if not reported. */
  estimate(): Promise<{ readonly usage: number; readonly quota: number } | null>;
};

/** Minimum interval between measurements in milliseconds, since each reads the size of every file. */
const MEASURE_MS = 1000;

/** Ending of denoised versions' file names. */
const DENOISED_KIND = 'cleaner.ogg';

const totalBytes = (files: readonly { readonly bytes: number }[]) =>
  files.reduce((total, { bytes }) => total + bytes, 0);

export type PhoneSpaceOptions = {
  readonly records: Pick<
    RecordStore,
    'detail' | 'update' | 'work' | 'summaries' | 'binned' | 'subscribe'
  >;
  readonly audio: Pick<AudioStore, 'master' | 'remove'>;
  readonly files: StoredFiles;
  readonly inUse: Pick<InUse, 'has'>;
  readonly cloudDigest: Cloud['digest'];
  readonly settings: Pick<SettingsService, 'set'>;
  /** The storage setting and its grace periods, read at each call. */
  readonly storage: () => Promise<StoragePolicy>;
  /** Exchanges all changes with the server. */
  readonly poll: () => Promise<CloudResult<null>>;
  readonly uid: () => string | null;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

/** Measures and frees this phone's storage. Never deletes the last copy of a recording. */
export function createPhoneSpace(options: PhoneSpaceOptions): {
  readonly service: PhoneSpaceService;
  /** Deletes local copies that the storage setting does not retain. */
  applyStoragePolicy(): Promise<void>;
  /** Deletes files whose deletion was interrupted when the app ended. */
  sweep(): Promise<void>;
} {
  const { records, files, inUse, settings, uid, onError } = options;

  /** Returns the recordings that belong to other accounts. */
  async function otherAccounts(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const owner = uid();
    const [known, listed, binned] = await Promise.all([
      records.work(ids),
      owner === null ? [] : records.summaries(owner),
      owner === null ? [] : records.binned(owner),
    ]);
    const mine = new Set([...listed, ...binned].map(({ id }) => id));
    return new Set(ids.filter((id) => known.has(id) && !mine.has(id)));
  }

  async function measure(): Promise<PhoneSpace> {
    const [sounds, database, estimate] = await Promise.all([
      files.audio(),
      files.database(),
      files.estimate(),
    ]);
    const cleaner = totalBytes(sounds.filter(({ kind }) => kind === DENOISED_KIND));
    const all = totalBytes(sounds);
    const byRecording = [...Map.groupBy(sounds, ({ id }) => id)].map(([id, of]) => ({
      id,
      bytes: totalBytes(of),
    }));
    const others = await otherAccounts(byRecording.map(({ id }) => id));
    return {
      audio: all - cleaner,
      cleaner,
      database,
      rest: estimate ? Math.max(0, estimate.usage - all - database) : 0,
      free: estimate && Math.max(0, estimate.quota - estimate.usage),
      recordings: byRecording.filter(({ id }) => !others.has(id)).sort((a, b) => b.bytes - a.bytes),
      others: totalBytes(byRecording.filter(({ id }) => others.has(id))),
    };
  }

  /** Notifies of changes, throttled. */
  function watch(listener: () => void): () => void {
    let timer = 0;
    const unsubscribe = records.subscribe(() => {
      timer ||= window.setTimeout(() => {
        timer = 0;
        listener();
      }, MEASURE_MS);
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }

  const copies = createPhoneCopies({
    ...options,
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
