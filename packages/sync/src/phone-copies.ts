import { Coalesced } from '@linnet/base';
import type { CallFailure } from '@linnet/contract/client';
import { storageSetting } from '@linnet/contract/statuses';
import type { DeletionReason, Sha256 } from './copies.ts';
import type { AudioStore } from './ports/audio.ts';
import type { Cloud, CloudResult } from './ports/cloud.ts';
import type { RecordStore } from './ports/records.ts';
import { findPhoneCopySurvivor, isDeletionDue, type StoragePolicy } from './retention.ts';

/** A copy that wasn't deleted from this phone, and why. */
export type RetainedCopy = {
  readonly id: string;
  /**
   * - `not_safe`: the cloud has no verified copy, the storage setting excludes the cloud, or it no longer excludes
   *   phones.
   * - `differs`: the server's audio differs from the audio on this phone.
   * - `in_use`: the audio is being played, exported, or denoised.
   * - `failed`: deleting it failed.
   */
  readonly reason: 'not_safe' | 'differs' | 'in_use' | 'failed';
};

/**
 * The result of freeing disk space. If it failed, nothing was deleted: either the server didn't respond (`server`), or
 * this phone couldn't store the setting that must reach the server first (`phone`).
 */
export type FreeResult =
  | { readonly ok: true; readonly bytes: number; readonly retained: readonly RetainedCopy[] }
  | { readonly ok: false; readonly code: 'server'; readonly failure: CallFailure }
  | { readonly ok: false; readonly code: 'phone' };

/** An audio file on this phone. `kind` is the file name's extension. */
export type StoredFile = {
  readonly id: string;
  readonly kind: string;
  readonly bytes: number;
};

export type PhoneCopiesOptions = {
  readonly records: Pick<RecordStore, 'detail' | 'update' | 'work' | 'summaries' | 'tombstones'>;
  readonly audio: Pick<AudioStore, 'remove'>;
  /** Returns all audio files on this phone. */
  readonly files: () => Promise<readonly StoredFile[]>;
  /** True if a recording's files are being read or written. @param fromRecordingPage see {@link PhoneCopies.free} */
  readonly isInUse: (id: string, fromRecordingPage: boolean) => boolean;
  readonly cloudDigest: Cloud['digest'];
  /** Changes a setting on this phone. The next {@link poll} sends the change. */
  readonly set: (group: string, key: string, value: string) => Promise<void>;
  /** Reads the storage policy from the database on each call. */
  readonly storage: () => Promise<StoragePolicy>;
  /** Syncs now: pushes all pending changes to the server and pulls its changes. */
  readonly poll: () => Promise<CloudResult<null>>;
  readonly uid: () => string | null;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

/** Why a copy is deleted, and whether the deletion was requested on the recording's own page. */
type DeletionRequest = {
  readonly because: DeletionReason;
  readonly fromRecordingPage: boolean;
};

/** Deletes the phone's copies, but never the last copy of a recording. */
export type PhoneCopies = {
  /**
   * Deletes recordings' audio from this phone once the server has confirmed that it has the same audio.
   * @param fromRecordingPage true if the request was made on the recording's own page, in which case playback on that
   *   page doesn't count as in use
   */
  free(ids: readonly string[], fromRecordingPage: boolean): Promise<FreeResult>;
  /**
   * If the storage setting excludes phones, deletes the phone's copies, but only those with a verified copy in the
   * cloud.
   */
  applyStoragePolicy(): Promise<void>;
  /**
   * Deletes files left behind because the app crashed after storing a deletion but before deleting the files, or during
   * a download of a recording that had been permanently deleted. Otherwise keeps a file unless the server confirms that
   * it currently has the same audio.
   */
  sweep(): Promise<void>;
};

export function createPhoneCopies(options: PhoneCopiesOptions): PhoneCopies {
  const { records, audio, files, isInUse, cloudDigest, storage, poll, uid, now, onError } = options;

  /** Deletes one copy if the server has the same audio. @returns why it was kept, or null if it was deleted */
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
    // Read the policy for each copy, because the user may change the setting while other copies are being deleted.
    const policy = await storage();
    const isAllowed = because === 'asked' || isDeletionDue(policy, 'phone', now().getTime());
    const survivor = isAllowed ? findPhoneCopySurvivor(copies, policy.setting) : null;
    if (!survivor) return 'not_safe';
    // Check this last, because playback may have started during the calls above.
    if (isInUse(id, fromRecordingPage)) return 'in_use';
    // Update the record first. If the app then crashes before deleting the file, the sweep at the next start deletes
    // it.
    await records.update(id, {
      localfile: '',
      local_noise_file: '',
      copies: { phone: { status: 'absent' } },
      // Don't automatically re-download audio the user removed. Audio removed because of the storage setting may be
      // re-downloaded if the setting changes.
      phoneRetention: because === 'asked' ? 'never' : 'auto',
      deletion: { place: 'phone', because, survivor },
    });
    await audio.remove(id);
    return null;
  }

  /** Deletes the files of those recordings that were permanently deleted. */
  async function removeDeleted(ids: readonly string[]): Promise<void> {
    const deletedIds = await records.tombstones(ids);
    const existing = await records.work([...deletedIds]);
    for (const id of deletedIds) {
      if (!existing.has(id)) await audio.remove(id).catch(onError);
    }
  }

  /** Has the server check its copies now, and returns their digests. */
  async function digestsInCloud(
    ids: readonly string[],
  ): Promise<CloudResult<ReadonlyMap<string, Sha256 | null>>> {
    const digests = new Map<string, Sha256 | null>();
    for (const id of ids) {
      const response = await cloudDigest(id);
      if (!response.ok) return response;
      digests.set(id, response.data);
    }
    return { ok: true, data: digests };
  }

  async function freeAll(ids: readonly string[], request: DeletionRequest): Promise<FreeResult> {
    const inCloud = await digestsInCloud(ids);
    if (!inCloud.ok) return { ...inCloud, code: 'server' };
    const storedFiles = await files();
    let bytes = 0;
    const retained: RetainedCopy[] = [];
    for (const id of ids) {
      const digest = inCloud.data.get(id) ?? null;
      const reason = await freeOne(id, digest, request).catch((error: unknown) => {
        // Other copies can still be deleted.
        onError(error);
        return 'failed' as const;
      });
      if (reason) retained.push({ id, reason });
      else for (const file of storedFiles) bytes += file.id === id ? file.bytes : 0;
    }
    return { ok: true, bytes, retained };
  }

  /** True if the storage setting excludes phones and its grace period is over. */
  async function isDue(): Promise<boolean> {
    return isDeletionDue(await storage(), 'phone', now().getTime());
  }

  /** Deletes the account's copies on this phone if the storage setting excludes phones. */
  async function freeExcluded(account: string): Promise<void> {
    if (!(await isDue())) return;
    const polled = await poll();
    // The poll may have fetched a storage setting that another phone changed.
    if (!polled.ok || !(await isDue())) return;
    const { setting } = await storage();
    const summaries = await records.summaries(account);
    const ids = summaries
      .filter(({ phoneRetention }) => phoneRetention !== 'always')
      .filter(({ copies }) => findPhoneCopySurvivor(copies, setting) !== null)
      .map(({ id }) => id);
    if (ids.length === 0) return;
    await freeAll(ids, { because: 'storage_setting', fromRecordingPage: false });
  }

  const policyPass = new Coalesced(async () => {
    const account = uid();
    if (account !== null) await freeExcluded(account);
  });

  return {
    async free(ids, fromRecordingPage) {
      // Notify the server before deleting anything, so that it doesn't rely on this phone's copies when it decides
      // whether to delete its own (the server's `free-audio.ts`). The storage setting itself doesn't change.
      await options.set(storageSetting.group, storageSetting.freedKey, now().toISOString());
      // The poll also fetches settings that other phones changed.
      const polled = await poll();
      if (!polled.ok) return { ...polled, code: 'server' };
      return freeAll(ids, { because: 'asked', fromRecordingPage });
    },
    applyStoragePolicy: () => policyPass.run(),
    async sweep() {
      const all = await files();
      await removeDeleted([...new Set(all.map(({ id }) => id))]);
      // Downloads in progress will be resumed.
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
        // If no deletion is recorded, the files belong to a finished download whose record hasn't been updated yet.
        const sha256 = deletion?.survivor?.sha256 ?? cloud.sha256;
        const inCloud = await cloudDigest(id);
        if (inCloud.ok && inCloud.data !== null && inCloud.data === sha256) await audio.remove(id);
      }
    },
  };
}
