/** Deletes imported files from their folder, but only while another copy of the same content exists. */
import type { Copies, Sha256 } from '../copies.ts';
import type { Log } from '../log.ts';
import type { AudioProcessor, AudioStore } from '../ports/audio.ts';
import type { Cloud } from '../ports/cloud.ts';
import type { RecordStore } from '../ports/records.ts';
import type { StoragePolicy } from '../retention.ts';
import type { FolderFileResult, ListedFile } from './folder.ts';

export type FileRetentionOptions = {
  readonly records: Pick<RecordStore, 'work'>;
  readonly audio: Pick<AudioStore, 'master'>;
  readonly audioProcessor: Pick<AudioProcessor, 'digest'>;
  readonly cloudDigest: Cloud['digest'];
  /** Reads the storage policy from the database. */
  readonly storage: () => Promise<StoragePolicy>;
  /** True if the platform granted persistent storage. */
  readonly isStoragePersistent: () => boolean;
  readonly log: Log;
};

/**
 * The result of trying to delete a file.
 *
 * - `released`: the file was deleted.
 * - `kept`: none of the places that the storage setting includes has a verified copy of this content.
 * - `unconfirmed`: the cloud should have a copy, but the server couldn't confirm it.
 */
export type FileRelease = 'released' | 'kept' | 'unconfirmed';

type Candidate = { readonly place: 'phone' | 'cloud'; readonly sha256: Sha256 };

export class FileRetention {
  readonly #options: FileRetentionOptions;

  constructor(options: FileRetentionOptions) {
    this.#options = options;
  }

  /**
   * Deletes a file from its folder if a verified copy of its current content exists in a place that the storage setting
   * includes.
   * @throws FolderError
   * @throws AudioStoreError
   * @throws `signal.reason` if aborted
   */
  async release(
    listed: ListedFile,
    { status, recordId }: Extract<FolderFileResult, { recordId: string }>,
    signal: AbortSignal,
  ): Promise<FileRelease> {
    // A recording that the user deleted no longer has a copy.
    if (status === 'deleted') return 'kept';
    const candidates = await this.#candidates(recordId);
    if (candidates.length === 0) return 'kept';
    // Read the content again, because it may have changed without a change in size or modification time.
    const { audioSha256 } = await this.#options.audioProcessor.digest(
      listed.file,
      () => {},
      signal,
    );
    const equal = candidates.filter(({ sha256 }) => sha256 === audioSha256);
    let result: FileRelease = 'kept';
    for (const candidate of equal) {
      const confirmed = await this.#confirm(recordId, candidate);
      if (confirmed === 'confirmed') {
        await listed.delete();
        this.#options.log('folder.released', { survivor: candidate.place });
        return 'released';
      }
      if (confirmed === 'unconfirmed') result = 'unconfirmed';
    }
    return result;
  }

  /** Returns the verified copies in places that the storage setting includes. */
  async #candidates(recordId: string): Promise<readonly Candidate[]> {
    const { records, storage, isStoragePersistent } = this.#options;
    const copies = (await records.work([recordId])).get(recordId)?.copies;
    if (!copies) return [];
    const { appSave, cloudSave } = (await storage()).setting;
    return [
      ...(cloudSave === 1 ? listVerified('cloud', copies) : []),
      ...(appSave === 1 && isStoragePersistent() ? listVerified('phone', copies) : []),
    ];
  }

  /** Checks that a copy still exists. */
  async #confirm(
    recordId: string,
    { place, sha256 }: Candidate,
  ): Promise<'confirmed' | 'unconfirmed' | 'lost'> {
    const { audio, cloudDigest } = this.#options;
    if (place === 'phone') return (await audio.master(recordId)) ? 'confirmed' : 'lost';
    const inCloud = await cloudDigest(recordId);
    if (!inCloud.ok) return 'unconfirmed';
    return inCloud.data === sha256 ? 'confirmed' : 'lost';
  }
}

function listVerified(place: Candidate['place'], copies: Copies): readonly Candidate[] {
  const copy = copies[place];
  return copy.status === 'verified' ? [{ place, sha256: copy.sha256 }] : [];
}
