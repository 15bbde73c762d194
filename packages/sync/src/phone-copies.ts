import { Coalesced } from '@linnet/base';
import type { CallFailure } from '@linnet/contract/client';
import { storageSetting } from '@linnet/contract/statuses';
import type { DeletionReason, Sha256 } from './copies.ts';
import type { AudioStore, Cloud, CloudResult, RecordStore } from './ports.ts';
import { findPhoneCopySurvivor, isDeletionDue, type StoragePolicy } from './retention.ts';

/** A copy that was retained on this phone, and the reason. */
export type RetainedCopy = {
  readonly id: string;
  /**
   * - `not_safe`: the cloud has no verified copy or is not selected, or the storage setting includes phones again.
   * - `differs`: the server's audio differs from this phone's.
   * - `in_use`: the audio is being played, exported, or denoised.
   * - `failed`: deleting it failed.
   */
  readonly reason: 'not_safe' | 'differs' | 'in_use' | 'failed';
};

/**
 * The result of freeing disk space. Nothing was deleted if the server did not answer (`server`), or if this phone could
 * not store the setting that the server must receive first (`phone`).
 */
export type Freed =
  | { readonly ok: true; readonly bytes: number; readonly retained: readonly RetainedCopy[] }
  | { readonly ok: false; readonly code: 'server'; readonly failure: CallFailure }
  | { readonly ok: false; readonly code: 'phone' };

/** An audio file on this phone; `kind` is its suffix. */
export type StoredFile = {
  readonly id: string;
  readonly kind: string;
  readonly bytes: number;
};

export type PhoneCopiesOptions = {
  readonly records: Pick<RecordStore, 'detail' | 'update' | 'work' | 'summaries'>;
  readonly audio: Pick<AudioStore, 'remove'>;
  /** Returns all audio files on this phone. */
  readonly files: () => Promise<readonly StoredFile[]>;
  /** Whether a recording's files are being read or written. @param fromRecordingPage as in {@link PhoneCopies.free} */
  readonly isInUse: (id: string, fromRecordingPage: boolean) => boolean;
  readonly cloudDigest: Cloud['digest'];
  /** Changes a setting on this phone; the change is sent with the next {@link poll}. */
  readonly set: (group: string, key: string, value: string) => Promise<void>;
  /** Reads the storage policy from the database at each call. */
  readonly storage: () => Promise<StoragePolicy>;
  /** Pushes all pending changes to the server, and pulls its changes. */
  readonly poll: () => Promise<CloudResult<null>>;
  readonly uid: () => string | null;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

/** The reason for a deletion, and whether it was requested on the recording's own page. */
type DeletionRequest = {
  readonly because: DeletionReason;
  readonly fromRecordingPage: boolean;
};

/** Deletes the phone's copies, but never the last copy of a recording. */
export type PhoneCopies = {
  /**
   * Deletes the audio of recordings from this phone, once the server has confirmed that it stores the same audio.
   * @param fromRecordingPage whether the recording's own page made the request; its player then does not count as a use
   */
  free(ids: readonly string[], fromRecordingPage: boolean): Promise<Freed>;
  /** Deletes the copies that the storage setting excludes, as far as verified copies allow it now. */
  applyStoragePolicy(): Promise<void>;
  /**
   * Deletes files left behind by a crash between storing a deletion and deleting the files. Retains files that the
   * server does not confirm now.
   */
  sweep(): Promise<void>;
};

export function createPhoneCopies(options: PhoneCopiesOptions): PhoneCopies {
  const { records, audio, files, isInUse, cloudDigest, storage, poll, uid, now, onError } = options;

  /** Deletes one copy if the server holds the same audio. @returns why it was retained; null if it was deleted */
  async function freeOne(
    id: string,
    inCloud: Sha256 | null,
    { because, fromRecordingPage }: DeletionRequest,
  ): Promise<RetainedCopy['reason'] | null> {
    const copies = (await records.detail(id))?.copies;
    if (!copies || inCloud === null) return 'not_safe';
    const { phone } = copies;
    const isKnown = phone.status === 'verified' || phone.status === 'stored';
    if (isKnown && inCloud !== phone.sha256) return 'differs';
    // Read for each copy, because the setting may have changed during the call.
    const policy = await storage();
    const isAllowed = because === 'asked' || isDeletionDue(policy, 'phone', now().getTime());
    const survivor = isAllowed ? findPhoneCopySurvivor(copies, policy.setting) : null;
    if (!survivor) return 'not_safe';
    // Checked last, because playback may have started meanwhile.
    if (isInUse(id, fromRecordingPage)) return 'in_use';
    // The record first: a crash in between leaves an orphaned file, which the next app start deletes.
    await records.update(id, {
      localfile: '',
      local_noise_file: '',
      copies: { phone: { status: 'absent' } },
      // Audio removed by the user is not downloaded again; audio removed by the setting is, if the setting changes.
      phoneRetention: because === 'asked' ? 'never' : 'auto',
      deletion: { place: 'phone', because, survivor },
    });
    await audio.remove(id);
    return null;
  }

  /** Fetches the digests of the server's copies, which the server computes or confirms now. */
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

  async function freeAll(ids: readonly string[], request: DeletionRequest): Promise<Freed> {
    const inCloud = await digestsInCloud(ids);
    if (!inCloud.ok) return { ...inCloud, code: 'server' };
    const stored = await files();
    let bytes = 0;
    const retained: RetainedCopy[] = [];
    for (const id of ids) {
      const digest = inCloud.data.get(id) ?? null;
      const reason = await freeOne(id, digest, request).catch((error: unknown) => {
        // The deletion of other copies can still succeed.
        onError(error);
        return 'failed' as const;
      });
      if (reason) retained.push({ id, reason });
      else for (const file of stored) bytes += file.id === id ? file.bytes : 0;
    }
    return { ok: true, bytes, retained };
  }

  /** Whether the storage setting excludes phones, and its grace period is over. */
  async function isDue(): Promise<boolean> {
    return isDeletionDue(await storage(), 'phone', now().getTime());
  }

  /** Deletes the copies of an account that the storage setting excludes. */
  async function freeExcluded(owner: string): Promise<void> {
    if (!(await isDue())) return;
    const polled = await poll();
    // Another phone may have changed the storage setting.
    if (!polled.ok || !(await isDue())) return;
    const { setting } = await storage();
    const mine = await records.summaries(owner);
    const ids = mine
      .filter(({ phoneRetention }) => phoneRetention !== 'always')
      .filter(({ copies }) => findPhoneCopySurvivor(copies, setting) !== null)
      .map(({ id }) => id);
    if (ids.length === 0) return;
    await freeAll(ids, { because: 'storage_setting', fromRecordingPage: false });
  }

  const policyPass = new Coalesced(async () => {
    const owner = uid();
    if (owner !== null) await freeExcluded(owner);
  });

  return {
    async free(ids, fromRecordingPage) {
      // The server must know first that this phone deletes copies, so that it does not rely on them to delete its own
      // (`free-audio.ts` of the server). The storage setting does not change.
      await options.set(storageSetting.group, storageSetting.freedKey, now().toISOString());
      // Also fetches the settings of other phones.
      const polled = await poll();
      if (!polled.ok) return { ...polled, code: 'server' };
      return freeAll(ids, { because: 'asked', fromRecordingPage });
    },
    applyStoragePolicy: () => policyPass.run(),
    async sweep() {
      const all = await files();
      // Downloads in progress are resumed, not swept.
      const downloading = new Set(
        all.filter(({ kind }) => kind === 'download').map(({ id }) => id),
      );
      const ids = new Set(all.map(({ id }) => id).filter((id) => !downloading.has(id)));
      const work = await records.work([...ids]);
      for (const [id, { copies }] of work) {
        const { phone, cloud } = copies;
        if (phone.status !== 'absent' || !('sha256' in cloud)) continue;
        const deletions = (await records.detail(id))?.receipt.deletions ?? [];
        const deletion = deletions.findLast(({ place }) => place === 'phone');
        // Files without a deletion belong to a download that has not been recorded yet.
        const sha256 = deletion?.survivor?.sha256 ?? cloud.sha256;
        const inCloud = await cloudDigest(id);
        if (inCloud.ok && inCloud.data !== null && inCloud.data === sha256) await audio.remove(id);
      }
    },
  };
}
