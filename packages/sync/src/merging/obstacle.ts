import { limits } from '@linnet/contract/limits';
import { isDel, isTrans, type RecordDetail } from '../record.ts';

/**
 * Why recordings can't be merged.
 *
 * - `recordings_missing`: fewer than two recordings exist, or some are deleted or in the recycle bin.
 * - `limit_exceeded`: the result would have too many parts, tags, words, markers or notes, or too much audio.
 * - `audio_missing`: the audio of some isn't complete on this phone.
 * - `still_transcribing`: some are being transcribed, will be transcribed, or wait for their merged transcript.
 * - `transcript_missing`: only some have a transcript, so edits would be lost.
 * - `server_outdated`: they have transcripts, but the server is too old to merge them.
 */
export type MergeObstacle =
  | { readonly code: 'recordings_missing' | 'limit_exceeded' | 'server_outdated' }
  | {
      readonly code: 'audio_missing' | 'still_transcribing' | 'transcript_missing';
      readonly ids: readonly string[];
    };

/** Thrown if recordings can't be merged. Nothing was changed then. */
export class MergeRefused extends Error {
  override readonly name = 'MergeRefused';
  readonly obstacle: MergeObstacle;

  constructor(obstacle: MergeObstacle) {
    super(obstacle.code);
    this.obstacle = obstacle;
  }
}

/**
 * Returns why recordings can't be merged, or null if they can.
 * @param records null stands for a recording that doesn't exist
 * @param mergesTranscripts whether the server can merge transcripts
 */
export function mergeObstacle(
  records: readonly (RecordDetail | null)[],
  mergesTranscripts: boolean,
): MergeObstacle | null {
  const keptRecords = records.flatMap((record) => (record?.is_del === isDel.kept ? record : []));
  if (keptRecords.length < records.length || keptRecords.length < 2)
    return { code: 'recordings_missing' };
  if (exceedsLimit(keptRecords)) return { code: 'limit_exceeded' };
  const idsWhere = (condition: (record: RecordDetail) => boolean) =>
    keptRecords.filter(condition).map(({ id }) => id);
  const withoutAudio = idsWhere(({ copies: { phone } }) => {
    // A downloaded copy of an imported file is stored, but not verified.
    return phone.status !== 'verified' && phone.status !== 'stored';
  });
  if (withoutAudio.length > 0) return { code: 'audio_missing', ids: withoutAudio };
  const waitingIds = idsWhere(isWaiting);
  if (waitingIds.length > 0) return { code: 'still_transcribing', ids: waitingIds };
  const untranscribed = idsWhere((record) => !hasTranscript(record));
  if (untranscribed.length === keptRecords.length) return null;
  if (untranscribed.length > 0) return { code: 'transcript_missing', ids: untranscribed };
  return mergesTranscripts ? null : { code: 'server_outdated' };
}

/** True if a recording has a transcript, even if a later transcription has failed. */
export const hasTranscript = ({ is_trans, content }: RecordDetail) =>
  is_trans === isTrans.translated || content.length > 0;

function isWaiting({ is_trans, requestedLanguage, mergedFrom }: RecordDetail): boolean {
  return is_trans === isTrans.transferring || requestedLanguage !== null || mergedFrom !== null;
}

function exceedsLimit(records: readonly RecordDetail[]): boolean {
  const count = (getItems: (record: RecordDetail) => readonly unknown[]) =>
    new Set(records.flatMap(getItems)).size;
  const bytes = records.reduce((sum, { audioBytes }) => sum + audioBytes, 0);
  const { tags, words, markers, notes } = limits.recording;
  return (
    records.length > limits.merge.parts ||
    // Container overhead adds less than a tenth to the packets.
    bytes * 1.1 > limits.upload.voiceBytes ||
    count((record) => record.tags) > tags ||
    count((record) => record.words) > words ||
    count((record) => record.markers) > markers ||
    count((record) => record.notes) > notes
  );
}
