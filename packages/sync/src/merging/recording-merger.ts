/**
 * Merges recordings into a new one: their audio, markers, notes, tags and transcripts. Moves the originals to the
 * recycle bin. The server merges the transcripts once it has the new recording.
 */
import { Mutex } from '@linnet/base';
import type { Edit } from '@linnet/contract/operations';
import type { Editable } from '../changes/operations.ts';
import { type ChangeStore, EditExceeds } from '../changes/ports.ts';
import { importId, markerId, noteId } from '../identity.ts';
import type { AudioProcessor, AudioStore } from '../ports/audio.ts';
import type { MergedPart, RecordStore } from '../ports/records.ts';
import type { RecordDetail } from '../record.ts';
import { hasTranscript, MergeRefused, mergeObstacle } from './obstacle.ts';

/** Fraction of the progress bar allotted to copying the packets. Creating the files takes longer. */
const COPYING_SHARE = 0.2;

export type RecordingMergerOptions = {
  readonly records: Pick<RecordStore, 'detail'>;
  readonly changes: Pick<ChangeStore, 'merge'>;
  readonly audio: Pick<AudioStore, 'discardPackets' | 'finish' | 'remove'>;
  readonly audioProcessor: Pick<AudioProcessor, 'join'>;
  /** Returns whether the server can merge transcripts. */
  readonly mergesTranscripts: () => boolean;
  readonly onError: (error: unknown) => void;
};

export class RecordingMerger {
  readonly #options: RecordingMergerOptions;
  /** Merges one group at a time, because decoding is CPU-bound. */
  readonly #merges = new Mutex();

  constructor(options: RecordingMergerOptions) {
    this.#options = options;
  }

  /**
   * Reads recordings for merging, in chronological order.
   * @throws MergeRefused
   */
  async read(uid: string, ids: readonly string[]): Promise<readonly RecordDetail[]> {
    const { records, mergesTranscripts } = this.#options;
    const details = await Promise.all(ids.map((id) => records.detail(id)));
    const ownRecords = details.map((detail) => (detail?.uid === uid ? detail : null));
    const obstacle = mergeObstacle(ownRecords, mergesTranscripts());
    if (obstacle) throw new MergeRefused(obstacle);
    return ownRecords.flatMap((detail) => detail ?? []).sort(byDate);
  }

  /**
   * Merges recordings in chronological order. On failure, nothing is changed.
   * @param onProgress receives 0–1
   * @returns the ID of the new recording
   * @throws MergeRefused
   * @throws AudioStoreError `file_missing`, `not_audio`, `storage_full`, `io_failed`
   * @throws StorageFull
   * @throws `signal.reason` if aborted
   */
  merge(
    uid: string,
    ids: readonly string[],
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    return this.#merges.run(async () => {
      signal.throwIfAborted();
      return this.#merge(uid, await this.read(uid, ids), onProgress, signal);
    });
  }

  async #merge(
    uid: string,
    records: readonly RecordDetail[],
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    const { audio, audioProcessor, changes, onError } = this.#options;
    const [first] = records;
    if (!first) throw new MergeRefused({ code: 'recordings_missing' });
    const ids = records.map((record) => record.id);
    const id = importId();
    let isStored = false;
    try {
      const starts = await audioProcessor.join(
        id,
        ids,
        (fraction) => onProgress(fraction * COPYING_SHARE),
        signal,
      );
      const finished = await audio.finish(id, (fraction) =>
        onProgress(COPYING_SHARE + fraction * (1 - COPYING_SHARE)),
      );
      signal.throwIfAborted();
      // Check again, because a transcription may have been requested during the merge.
      await this.read(uid, ids);
      const parts = ids.map((part, n): MergedPart => {
        return { client_flag: part, start: starts[n] ?? 0 };
      });
      const isSameScene = records.every(({ scene }) => scene === first.scene);
      const merged = {
        ...{ id, uid, title: first.title, createDate: first.create_date, audio: finished },
        scene: isSameScene ? first.scene : 'audio',
        ...(records.every(hasTranscript)
          ? { mergedFrom: parts, autoTranscribe: false }
          : { autoTranscribe: records.every((item) => item.autoTranscribe && item.task === null) }),
      } as const;
      await changes.merge(uid, merged, ids, (fields) => createEdits(id, fields, starts));
      isStored = true;
    } catch (error) {
      throw error instanceof EditExceeds ? new MergeRefused({ code: 'limit_exceeded' }) : error;
    } finally {
      if (!isStored) await audio.remove(id);
    }
    // The recording no longer needs its packets. If they can't be deleted now, they are deleted at the next start.
    await audio.discardPackets(id).catch(onError);
    return id;
  }
}

/** Returns the edits that copy everything the user added to the parts to the merged recording. */
function createEdits(
  recording: string,
  parts: readonly Editable[],
  starts: readonly number[],
): readonly Edit[] {
  const target = { recording };
  const tags = new Set(parts.flatMap((part) => part.tags));
  const words = new Set(parts.flatMap((part) => part.words));
  const place = parts.find((part) => part.place !== null)?.place;
  const languages = new Set(parts.map(({ language }) => language));
  const [language] = languages;
  return [
    ...parts.flatMap(({ markers, notes }, n): Edit[] => {
      const start = starts[n] ?? 0;
      // Round to milliseconds to remove floating-point errors of the sum.
      const move = (time: number) => Math.round((start + time) * 1000) / 1000;
      return [
        ...markers.map((item): Edit => {
          const value = { ...item, id: markerId(), time: move(item.time) };
          return { type: 'recording.marker', ...target, marker: value.id, value };
        }),
        ...notes.map((item): Edit => {
          const value = { ...item, id: noteId(), time: move(item.time) };
          return { type: 'recording.note', ...target, note: value.id, value };
        }),
      ];
    }),
    ...[...tags].map((tag): Edit => ({ type: 'recording.tag', ...target, tag, on: true })),
    ...[...words].map((word): Edit => ({ type: 'recording.word', ...target, word, on: true })),
    ...(place ? [{ type: 'recording.place', ...target, place } as const] : []),
    ...(languages.size === 1 && language
      ? [{ type: 'recording.language', ...target, language } as const]
      : []),
  ];
}

/** Compares recordings by date. */
function byDate(a: RecordDetail, b: RecordDetail): number {
  return a.create_date.localeCompare(b.create_date) || a.id.localeCompare(b.id);
}
