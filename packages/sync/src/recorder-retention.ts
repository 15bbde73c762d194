import type { RecorderSession } from '@linnet/device/session';
import type { Clock } from './clock.ts';
import type { Survivor } from './copies.ts';
import type { Log } from './log.ts';
import type { SessionAudio } from './ports/audio.ts';
import type { Cloud } from './ports/cloud.ts';
import type { RecordStore } from './ports/records.ts';
import type { ListedSession } from './recorder-copies.ts';
import { isSessionUnknown } from './recorder-failures.ts';
import { findRecorderCopySurvivor, isDeletionDue, type StoragePolicy } from './retention.ts';

export type RetentionOptions = {
  readonly records: Pick<RecordStore, 'work' | 'update'>;
  readonly audio: Pick<SessionAudio, 'master'>;
  /** Reads the storage policy from the database on each call, because a cached policy may be out of date. */
  readonly storage: () => Promise<StoragePolicy>;
  /** True if the platform granted persistent storage. */
  readonly isStoragePersistent: () => boolean;
  /** See {@link Cloud.digest}. Without it, the cloud's copy never counts as a survivor. */
  readonly cloudDigest?: Cloud['digest'];
  readonly log: Log;
};

export type RecorderRetentionOptions = RetentionOptions & {
  readonly session: Pick<RecorderSession, 'deleteSession'>;
};

/**
 * The result of trying to delete a session on the recorder.
 *
 * - `released`: the session was deleted.
 * - `kept`: there's currently no verified copy that makes the deletion safe.
 * - `copy_lost`: the phone's file is missing, so the session has to be read again.
 */
export type Release = 'released' | 'kept' | 'copy_lost';

/** Finds the verified copies that make it safe to delete a recorder's copies, if the storage setting excludes them. */
export class RecorderSurvivors {
  readonly #options: RetentionOptions;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(options: RetentionOptions, clock: Pick<Clock, 'now'>) {
    this.#options = options;
    this.#clock = clock;
  }

  /** True if the storage setting excludes the recorder and its grace period is over. */
  async isDue(): Promise<boolean> {
    return isDeletionDue(await this.#options.storage(), 'recorder', this.#clock.now());
  }

  /** Finds a copy that makes the deletion safe, and confirms that it still exists. Returns null if there is none. */
  async find(id: string): Promise<Survivor | 'copy_lost' | null> {
    const { audio, cloudDigest, log, records } = this.#options;
    const survivor = await this.#survivorOnRecord(id);
    if (!survivor) return null;
    if (survivor.place === 'cloud') {
      const inCloud = await cloudDigest?.(id);
      if (!inCloud?.ok || inCloud.data !== survivor.sha256) return null;
    } else if (!(await audio.master(id))) {
      log('session.copy_lost');
      await records.update(id, { localfile: '', copies: { phone: { status: 'absent' } } });
      return 'copy_lost';
    }
    // The setting or the copies may have changed while the copy was being confirmed.
    const current = await this.#survivorOnRecord(id);
    const isUnchanged = current?.place === survivor.place && current.sha256 === survivor.sha256;
    return isUnchanged ? current : null;
  }

  /** Finds a copy that makes the deletion safe according to the current record and storage policy. */
  async #survivorOnRecord(id: string): Promise<Survivor | null> {
    const { records, storage, isStoragePersistent } = this.#options;
    const copies = (await records.work([id])).get(id)?.copies;
    const policy = await storage();
    if (!copies || !isDeletionDue(policy, 'recorder', this.#clock.now())) return null;
    return findRecorderCopySurvivor(copies, policy.setting, isStoragePersistent());
  }
}

/** Deletes sessions on a recorder if the storage setting excludes recorders and a verified copy exists elsewhere. */
export class RecorderRetention {
  readonly #options: RecorderRetentionOptions;
  readonly #survivors: RecorderSurvivors;

  constructor(options: RecorderRetentionOptions, clock: Clock) {
    this.#options = options;
    this.#survivors = new RecorderSurvivors(options, clock);
  }

  /** See {@link RecorderSurvivors.isDue}. */
  isDue(): Promise<boolean> {
    return this.#survivors.isDue();
  }

  /**
   * Deletes a session on the recorder if a verified copy makes that safe.
   * @throws DeviceError as `deleteSession` does, except for a session that is already deleted
   */
  async release({ item, id }: ListedSession): Promise<Release> {
    const { records, session, log } = this.#options;
    const survivor = await this.#survivors.find(id);
    if (survivor === null || survivor === 'copy_lost') return survivor ?? 'kept';
    try {
      await session.deleteSession(item.sessionId);
    } catch (error) {
      if (!isSessionUnknown(error)) throw error;
    }
    await records.update(id, {
      copies: { recorder: { status: 'absent' } },
      deletion: { place: 'recorder', because: 'storage_setting', survivor },
    });
    log('session.released', { session: item.sessionId, survivor: survivor.place });
    return 'released';
  }
}
