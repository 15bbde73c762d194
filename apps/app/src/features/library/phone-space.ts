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

/** What the platform knows of the files that are kept. */
export type StoredFiles = {
  /** Files of recordings; `kind` is what their names end with. Bytes. */
  audio(): Promise<readonly StoredFile[]>;
  /** Bytes. */
  database(): Promise<number>;
  /** Bytes that the platform counts altogether, and lets be taken at most; null where it does not say. */
  estimate(): Promise<{ readonly used: number; readonly most: number } | null>;
};

/** Milliseconds between two measurements while recordings come: each looks at every file. */
const MEASURE_MS = 1000;

const CLEANER = 'cleaner.ogg';

const sum = (of: readonly { readonly bytes: number }[]) =>
  of.reduce((all, { bytes }) => all + bytes, 0);

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
  /** The storage setting, and when deleting because of it begins; read at each call. */
  readonly storage: () => Promise<StoragePolicy>;
  /** Tells the server everything, and hears what it has to tell. */
  readonly look: () => Promise<CloudResult<null>>;
  readonly uid: () => string | null;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

/** What fills this phone, and how room is made: never by deleting the last copy of anything. */
export function createPhoneSpace(options: PhoneSpaceOptions): {
  readonly service: PhoneSpaceService;
  /** Frees what may go where its owner keeps nothing on phones. */
  freeByRule(): Promise<void>;
  /** Drops files that were to go when the app was closed. */
  sweep(): Promise<void>;
} {
  const { records, files, inUse, settings, uid, onError } = options;

  /** Recordings that are another account's: they have a record, which is none of this one's. */
  async function othersOf(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const owner = uid();
    const [known, kept, binned] = await Promise.all([
      records.work(ids),
      owner === null ? [] : records.summaries(owner),
      owner === null ? [] : records.binned(owner),
    ]);
    const mine = new Set([...kept, ...binned].map(({ id }) => id));
    return new Set(ids.filter((id) => known.has(id) && !mine.has(id)));
  }

  async function measure(): Promise<PhoneSpace> {
    const [sounds, database, estimate] = await Promise.all([
      files.audio(),
      files.database(),
      files.estimate(),
    ]);
    const cleaner = sum(sounds.filter(({ kind }) => kind === CLEANER));
    const all = sum(sounds);
    const byRecording = [...Map.groupBy(sounds, ({ id }) => id)].map(([id, of]) => ({
      id,
      bytes: sum(of),
    }));
    const others = await othersOf(byRecording.map(({ id }) => id));
    return {
      audio: all - cleaner,
      cleaner,
      database,
      rest: estimate ? Math.max(0, estimate.used - all - database) : 0,
      free: estimate && Math.max(0, estimate.most - estimate.used),
      recordings: byRecording.filter(({ id }) => !others.has(id)).sort((a, b) => b.bytes - a.bytes),
      others: sum(byRecording.filter(({ id }) => others.has(id))),
    };
  }

  /** After each change, and not for every step of one. */
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
    isInUse: (id, fromItsPage) => inUse.has(id, fromItsPage ? 'work' : undefined),
    set: (...setting) => settings.set(...setting),
  });

  return {
    service: {
      space: live(measure, watch, onError, uid),
      free: (ids, { fromItsPage = false } = {}) =>
        copies.free(ids, fromItsPage).catch((error: unknown) => {
          onError(error);
          return { ok: false, code: 'phone' };
        }),
    },
    freeByRule: copies.freeByRule,
    sweep: copies.sweep,
  };
}
