/**
 * Imports audio files as recordings. The original file is stored unchanged, and also converted to the recorders' packet
 * format for playback and editing. The master is the original if the server can decode it, or else the converted file.
 * The record is added last; until then, files stored under an import ID mark an incomplete import, and `sweep` deletes
 * them after a crash.
 */

import { Mutex } from '@linnet/base';
import { fileRecordingId, titleOfFile } from '@linnet/contract/file-identity';
import { clearAudioProblem } from '../audio-problem.ts';
import { type Copies, sha256From } from '../copies.ts';
import { importId, isImportId } from '../identity.ts';
import type { AudioProcessor, AudioStore } from '../ports/audio.ts';
import type { RecordStore } from '../ports/records.ts';

/** Fractions of the progress bar allotted to hashing and decoding. Writing the files gets the rest. */
const HASHING_SHARE = 0.05;
const DECODING_SHARE = 0.85;

export type FileImporterOptions = {
  readonly records: Pick<RecordStore, 'add' | 'update' | 'work' | 'tombstones'>;
  readonly audio: Pick<AudioStore, 'finish' | 'discardPackets' | 'remove'>;
  readonly audioProcessor: Pick<AudioProcessor, 'digest' | 'convert' | 'keepOriginal' | 'list'>;
  /** True if the server is known to decode this kind of audio file. */
  readonly isDecodable: (kind: string) => boolean;
  /** Returns when a file was recorded according to its content or name, or null if unknown. */
  readonly findDate: (file: File) => Promise<Date | null>;
  readonly onError: (error: unknown) => void;
};

/** A file to import. */
export type ImportRequest = {
  /** The account that imports the file. */
  readonly uid: string;
  readonly file: File;
  /** True if the recording should be transcribed automatically. */
  readonly autoTranscribe: boolean;
  /**
   * True if the user picked this file. It's then imported even if its recording was permanently deleted or has lost its
   * audio. In place of a deleted recording, a new one is added under a new ID, because deleted IDs are never reused.
   */
  readonly isPicked: boolean;
};

/**
 * The outcome of an import.
 * - `imported`: a recording was added, or an existing recording had its audio restored.
 * - `known`: the account already has a recording with this content.
 * - `deleted`: the recording with this content was permanently deleted, so the file wasn't imported.
 */
export type ImportOutcome = {
  readonly status: 'imported' | 'known' | 'deleted';
  readonly recordId: string;
  /** The SHA-256 of the file in lowercase hex. */
  readonly sha256: string;
};

export class FileImporter {
  readonly #options: FileImporterOptions;
  /** Imports files one at a time, because decoding is CPU-bound. */
  readonly #imports = new Mutex();

  constructor(options: FileImporterOptions) {
    this.#options = options;
  }

  /**
   * Imports a file, unless the account already has its content. On failure, nothing is left behind.
   * @param onProgress receives 0–1
   * @throws AudioStoreError `not_audio`, `no_sound`, `too_large`, `file_missing`, `storage_full`, `io_failed`
   * @throws StorageFull
   * @throws `signal.reason` if aborted
   */
  import(
    request: ImportRequest,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    return this.#imports.run(async () => {
      signal.throwIfAborted();
      return this.#import(request, onProgress, signal);
    });
  }

  async #import(
    { uid, file, autoTranscribe, isPicked }: ImportRequest,
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<ImportOutcome> {
    const { records, audio, audioProcessor, isDecodable, findDate, onError } = this.#options;
    const digest = await audioProcessor.digest(
      file,
      (fraction) => onProgress(fraction * HASHING_SHARE),
      signal,
    );
    const { sha256 } = digest;
    const contentId = fileRecordingId(uid, sha256);
    const [work, deleted] = await Promise.all([
      records.work([contentId]),
      records.tombstones([contentId]),
    ]);
    const existingWork = work.get(contentId);
    // Restore audio only if the user picked the file; otherwise an automatic import would bring back audio that was
    // deleted because of the storage setting.
    const isRestored = existingWork !== undefined && isPicked && !hasCopy(existingWork.copies);
    if (existingWork && !isRestored) return { status: 'known', recordId: contentId, sha256 };
    const isDeleted = deleted.has(contentId);
    if (isDeleted && !isPicked) return { status: 'deleted', recordId: contentId, sha256 };
    const id = isDeleted ? importId() : contentId;

    let isStored = false;
    try {
      const { kind } = await audioProcessor.convert(
        id,
        file,
        (fraction) => onProgress(HASHING_SHARE + fraction * DECODING_SHARE),
        signal,
      );
      const written = HASHING_SHARE + DECODING_SHARE;
      const finished = await audio.finish(id, (fraction) =>
        onProgress(written + fraction * (1 - written)),
      );
      const isMaster = kind !== null && isDecodable(kind);
      await audioProcessor.keepOriginal(id, file, isMaster, signal);
      signal.throwIfAborted();
      const master = isMaster
        ? { bytes: digest.size, sha256: sha256From(digest.audioSha256) }
        : { bytes: finished.bytes, sha256: sha256From(finished.sha256) };
      if (isRestored) {
        await records.update(id, {
          ...(await clearAudioProblem(records, id)),
          localfile: finished.localfile,
          peaks: finished.peaks,
          audioBytes: finished.bytes,
          copies: { phone: { status: 'verified', ...master } },
        });
        // If it was permanently deleted in the meantime, the audio that was just restored is removed below.
        if ((await records.tombstones([id])).has(id)) {
          return { status: 'deleted', recordId: id, sha256 };
        }
      } else {
        const date = (await findDate(file)) ?? new Date(file.lastModified);
        // The conversion may have taken minutes, during which another phone may have imported and deleted the file.
        if ((await records.tombstones([id])).has(id)) {
          return { status: 'deleted', recordId: id, sha256 };
        }
        await records.add({
          id,
          uid,
          title: titleOfFile(file.name),
          createDate: date.toISOString(),
          audio: finished,
          master,
          autoTranscribe,
        });
      }
      isStored = true;
    } finally {
      if (!isStored) await audio.remove(id);
    }
    // The recording no longer needs its packets. If they can't be deleted now, `sweep` deletes them later.
    await audio.discardPackets(id).catch(onError);
    return { status: 'imported', recordId: id, sha256 };
  }

  /** Deletes files that imports interrupted by a crash left behind. Imports wait until this is done. */
  sweep(): Promise<void> {
    return this.#imports.run(() => this.#sweep());
  }

  async #sweep(): Promise<void> {
    const { records, audio, audioProcessor } = this.#options;
    const leftovers = (await audioProcessor.list()).packets.filter(isImportId);
    const imported = await records.work(leftovers);
    for (const id of leftovers) {
      if (imported.has(id)) await audio.discardPackets(id);
      else await audio.remove(id);
    }
  }
}

/** True if any copy exists, even a partial one. */
function hasCopy(copies: Copies): boolean {
  return Object.values(copies).some(({ status }) => status !== 'absent');
}
