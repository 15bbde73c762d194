import { storageSetting } from '@linnet/contract/statuses';
import {
  type AudioStore,
  type Cloud,
  type CloudResult,
  type DeletionReason,
  type deletesFrom,
  type RecordStore,
  type SaveSetting,
  type Sha256,
  survivorOfPhoneCopy,
} from '@linnet/sync';
import type {
  Freed,
  PhoneSpace,
  PhoneSpaceService,
  SettingsService,
  StaysHere,
} from '../../services.ts';
import { live } from '../../stores.ts';
import type { InUse } from './in-use.ts';

/** What the platform knows of the files that are kept. */
export type StoredFiles = {
  /** Files of recordings; `kind` is what their names end with. Bytes. */
  audio(): Promise<
    readonly { readonly id: string; readonly kind: string; readonly bytes: number }[]
  >;
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
  readonly storage: () => Promise<{
    readonly setting: SaveSetting;
    readonly deletesFrom: ReturnType<typeof deletesFrom>;
  }>;
  /** Tells the server everything, and hears what it has to tell. */
  readonly look: () => Promise<CloudResult<null>>;
  readonly uid: () => string | null;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

/** Why copies are deleted, and by which setting. */
type Deleting = {
  readonly setting: SaveSetting;
  readonly because: DeletionReason;
  /** Whether the recording's own page asked: its player goes on from the cloud. */
  readonly fromItsPage?: boolean;
};

/** What fills this phone, and how room is made: never by deleting the last copy of anything. */
export function createPhoneSpace(options: PhoneSpaceOptions): {
  readonly service: PhoneSpaceService;
  /** Frees what may go where its owner keeps nothing on phones. */
  freeByRule(): Promise<void>;
  /** Drops files that were to go when the app was closed. */
  sweep(): Promise<void>;
} {
  const { records, audio, files, inUse, cloudDigest, settings, storage, look, uid, now, onError } =
    options;

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

  /** Deletes one copy here, if the server holds the same audio. @returns why it stays; null when it went */
  async function freeOne(
    id: string,
    inCloud: Sha256 | null,
    { setting, because, fromItsPage = false }: Deleting,
  ): Promise<StaysHere['why'] | null> {
    const copies = (await records.detail(id))?.copies;
    if (!copies || inCloud === null) return 'not_safe';
    if (copies.phone.status === 'verified' && inCloud !== copies.phone.sha256) return 'differs';
    const survivor = survivorOfPhoneCopy(copies, setting);
    if (!survivor) return 'not_safe';
    // As late as can be: in the meantime it may have begun to play.
    if (inUse.has(id, fromItsPage ? 'work' : undefined)) return 'in_use';
    // In this order: what a crash leaves between the two is a file too many, which the next start drops.
    await records.update(id, {
      localfile: '',
      local_noise_file: '',
      copies: { phone: { status: 'absent' } },
      // What the owner removed is not downloaded again; what the setting removed is, once it is switched back.
      keptHere: because === 'asked' ? 'never' : 'auto',
      deletion: { place: 'phone', because, survivor },
    });
    await audio.remove(id);
    return null;
  }

  /** Digests of what the server holds, each looked at in its store now. */
  async function digestsInCloud(
    ids: readonly string[],
  ): Promise<CloudResult<ReadonlyMap<string, Sha256 | null>>> {
    const digests = new Map<string, Sha256 | null>();
    for (const id of ids) {
      const answer = await cloudDigest(id);
      if (!answer.ok) return answer;
      digests.set(id, answer.data);
    }
    return { ok: true, data: digests };
  }

  async function freeAll(ids: readonly string[], by: Deleting): Promise<Freed> {
    const inCloud = await digestsInCloud(ids);
    if (!inCloud.ok) return { ...inCloud, code: 'server' };
    const sounds = await files.audio();
    let bytes = 0;
    const stays: StaysHere[] = [];
    for (const id of ids) {
      const digest = inCloud.data.get(id) ?? null;
      const why = await freeOne(id, digest, by).catch((error: unknown) => {
        // The others can go all the same.
        onError(error);
        return 'failed' as const;
      });
      if (why) stays.push({ id, why });
      else bytes += sum(sounds.filter((file) => file.id === id));
    }
    return { ok: true, bytes, stays };
  }

  /**
   * Has the server know first that phones let go of copies, so that it keeps its own: it counts only on what
   * comes after (`free-audio.ts` of the server). What its owner wants kept where stays as it is.
   */
  async function free(ids: readonly string[], fromItsPage: boolean): Promise<Freed> {
    await settings.set(storageSetting.group, storageSetting.freedKey, now().toISOString());
    const told = await look();
    // Only now: what another phone wants is known here.
    if (!told.ok) return { ...told, code: 'server' };
    return freeAll(ids, { setting: (await storage()).setting, because: 'asked', fromItsPage });
  }

  /** Whether phones are not to keep audio, and the time to take that back is over. */
  async function isDue(): Promise<boolean> {
    const from = (await storage()).deletesFrom.phone;
    return from !== null && now().getTime() >= from;
  }

  async function freeWhatMayGo(owner: string): Promise<void> {
    if (!(await isDue())) return;
    const told = await look();
    // Another phone may have said that phones keep theirs.
    if (!told.ok || !(await isDue())) return;
    const { setting } = await storage();
    const mine = await records.summaries(owner);
    const ids = mine
      .filter(({ keptHere }) => keptHere !== 'always')
      .filter(({ copies }) => survivorOfPhoneCopy(copies, setting) !== null)
      .map(({ id }) => id);
    if (ids.length > 0) await freeAll(ids, { setting, because: 'storage_setting' });
  }

  let freeing = false;
  /** What was asked for while it was being done is done once more. */
  let isStale = false;
  return {
    service: {
      space: live(measure, watch, onError, uid),
      free: (ids, { fromItsPage = false } = {}) =>
        free(ids, fromItsPage).catch((error: unknown) => {
          onError(error);
          return { ok: false, code: 'phone' };
        }),
    },
    async freeByRule() {
      isStale = true;
      if (freeing) return;
      freeing = true;
      try {
        while (isStale) {
          isStale = false;
          const owner = uid();
          if (owner !== null) await freeWhatMayGo(owner);
        }
      } finally {
        freeing = false;
      }
    },
    async sweep() {
      const all = await files.audio();
      // Downloads under way are resumed, not swept.
      const coming = new Set(all.filter(({ kind }) => kind === 'download').map(({ id }) => id));
      const ids = new Set(all.map(({ id }) => id).filter((id) => !coming.has(id)));
      const work = await records.work([...ids]);
      for (const [id, { copies }] of work) {
        const left = copies.phone.status === 'absent' && copies.cloud.status !== 'absent';
        if (left) await audio.remove(id);
      }
    },
  };
}
