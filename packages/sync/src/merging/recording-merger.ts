/**
 * Merges recordings into a new one: their audio, markers, notes, tags and, if they have them, transcripts. The originals
 * are moved to the recycle bin. Their transcripts are merged by the server once it has the new recording.
 */
import { Mutex } from '@linnet/base';
import type { Edit } from '@linnet/contract/operations';
import type { ChangeStore } from '../changes/ports.ts';
import { importId, markerId, noteId } from '../identity.ts';
import type { AudioStore, AudioWorkshop, MergedPart, RecordStore } from '../ports.ts';
import { isDel, isTrans, type RecordDetail } from '../record.ts';

/** Share of the progress bar for copying the packets. Creating the files takes longer. */
const COPYING_SHARE = 0.2;

/**
 * Why recordings can't be merged.
 *
 * - `recordings_missing`: fewer than two of them exist outside the recycle bin.
 * - `audio_missing`: the audio of some isn't complete on this phone.
 * - `transcript_missing`: some have a transcript, but others don't, so that edits would be lost.
 */
export type MergeObstacle =
  | { readonly code: 'recordings_missing' }
  | { readonly code: 'audio_missing' | 'transcript_missing'; readonly ids: readonly string[] };

/** Thrown if recordings can't be merged. Nothing was changed. */
export class MergeRefused extends Error {
  override readonly name = 'MergeRefused';
  readonly obstacle: MergeObstacle;

  constructor(obstacle: MergeObstacle) {
    super(obstacle.code);
    this.obstacle = obstacle;
  }
}

export type RecordingMergerOptions = {
  readonly records: Pick<RecordStore, 'add' | 'detail'>;
  readonly changes: Pick<ChangeStore, 'edit' | 'editAll'>;
  readonly audio: Pick<AudioStore, 'discardPackets' | 'finish' | 'remove'>;
  readonly workshop: Pick<AudioWorkshop, 'join'>;
  readonly onError: (error: unknown) => void;
};

type Mergeable = Pick<RecordDetail, 'id' | 'is_trans' | 'is_del' | 'copies'>;

/**
 * Returns why recordings can't be merged, or null if they can.
 * @param records null stands for a recording that doesn't exist
 */
export function mergeObstacle(records: readonly (Mergeable | null)[]): MergeObstacle | null {
  const kept = records.filter((record) => record?.is_del === isDel.kept);
  if (kept.length < records.length || kept.length < 2) return { code: 'recordings_missing' };
  const idsWhere = (condition: (record: Mergeable) => boolean) =>
    kept.flatMap((record) => (record && condition(record) ? record.id : []));
  const withoutAudio = idsWhere(({ copies }) => copies.phone.status !== 'verified');
  if (withoutAudio.length > 0) return { code: 'audio_missing', ids: withoutAudio };
  const untranscribed = idsWhere((record) => !hasTranscript(record));
  const isMixed = untranscribed.length > 0 && untranscribed.length < kept.length;
  return isMixed ? { code: 'transcript_missing', ids: untranscribed } : null;
}

const hasTranscript = ({ is_trans }: Pick<RecordDetail, 'is_trans'>) =>
  is_trans === isTrans.translated;

export class RecordingMerger {
  readonly #options: RecordingMergerOptions;
  /** Merges one group at a time, because decoding is CPU-bound. */
  readonly #merges = new Mutex();

  constructor(options: RecordingMergerOptions) {
    this.#options = options;
  }

  /**
   * Merges recordings in the order in which they were made. On failure, nothing is left behind.
   * @param onProgress receives 0–1
   * @returns the id of the new recording
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
      const details = await Promise.all(ids.map((id) => this.#options.records.detail(id)));
      const own = details.map((detail) => (detail?.uid === uid ? detail : null));
      const obstacle = mergeObstacle(own);
      if (obstacle) throw new MergeRefused(obstacle);
      const records = own.flatMap((detail) => detail ?? []).sort(byDate);
      return this.#merge(uid, records, onProgress, signal);
    });
  }

  async #merge(
    uid: string,
    records: readonly RecordDetail[],
    onProgress: (fraction: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    const { audio, workshop, changes, onError } = this.#options;
    const [first] = records;
    if (!first) throw new MergeRefused({ code: 'recordings_missing' });
    const id = importId();
    let isStored = false;
    try {
      const starts = await workshop.join(
        id,
        records.map((record) => record.id),
        (fraction) => onProgress(fraction * COPYING_SHARE),
        signal,
      );
      const finished = await audio.finish(id, (fraction) =>
        onProgress(COPYING_SHARE + fraction * (1 - COPYING_SHARE)),
      );
      signal.throwIfAborted();
      const parts = records.map((record, n): MergedPart => {
        return { client_flag: record.id, start: starts[n] ?? 0 };
      });
      const isTranscribed = records.every(hasTranscript);
      const isSameScene = records.every(({ scene }) => scene === first.scene);
      await this.#options.records.add({
        ...{ id, uid, title: first.title, createDate: first.create_date, audio: finished },
        scene: isSameScene ? first.scene : 'audio',
        ...(isTranscribed && { mergedFrom: parts, autoTranscribe: false }),
      });
      isStored = true;
      for (const edit of editsOf(id, records, starts)) await changes.edit(uid, edit);
    } finally {
      if (!isStored) await audio.remove(id);
    }
    await changes.editAll(
      uid,
      records.map((record) => ({ type: 'recording.bin', recording: record.id })),
    );
    // The recording no longer needs its packets. If they can't be deleted now, they are deleted at the next start.
    await audio.discardPackets(id).catch(onError);
    return id;
  }
}

/** Returns the edits that give a merged recording everything that the user added to its parts. */
function editsOf(
  recording: string,
  records: readonly RecordDetail[],
  starts: readonly number[],
): Edit[] {
  const target = { recording };
  const tags = new Set(records.flatMap((record) => record.tags));
  const place = records.find((record) => record.place !== null)?.place;
  const languages = new Set(records.map(({ language }) => language));
  const [language] = languages;
  return [
    ...records.flatMap(({ markers, notes }, n): Edit[] => {
      const start = starts[n] ?? 0;
      // Whole milliseconds, without the rounding errors of the sum.
      const move = (time: number) => Math.round((start + time) * 1000) / 1000;
      return [
        ...markers.map((one): Edit => {
          const value = { ...one, id: markerId(), time: move(one.time) };
          return { type: 'recording.marker', ...target, marker: value.id, value };
        }),
        ...notes.map((one): Edit => {
          const value = { ...one, id: noteId(), time: move(one.time) };
          return { type: 'recording.note', ...target, note: value.id, value };
        }),
      ];
    }),
    ...[...tags].map((tag): Edit => ({ type: 'recording.tag', ...target, tag, on: true })),
    ...(place ? [{ type: 'recording.place', ...target, place } as const] : []),
    ...(languages.size === 1 && language
      ? [{ type: 'recording.language', ...target, language } as const]
      : []),
  ];
}

/** Orders recordings by when they were made. */
function byDate(a: RecordDetail, b: RecordDetail): number {
  return a.create_date.localeCompare(b.create_date) || a.id.localeCompare(b.id);
}
