import { wholeSeconds } from '@linnet/contract/durations';
import { toSceneRecSource } from '@linnet/contract/statuses';
import { type ImportedRecord, isNew, sha256From } from '@linnet/sync';
import type { Statement } from './database.ts';
import { copyStatement } from './statements.ts';

/** Returns the statements that add an imported or merged recording. */
export function insertImported({
  id,
  uid,
  title,
  createDate,
  audio,
  master,
  autoTranscribe = true,
  scene = 'audio',
  mergedFrom,
}: ImportedRecord): Statement[] {
  const { sha256, bytes, seconds, peaks, localfile } = audio;
  return [
    [
      `insert into record
         (id, uid, title, create_date, update_date, record_time, rec_source, scene, localfile,
          audio_bytes, peaks, is_new, auto_transcribe, merged_from)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[id, uid, title, createDate, createDate, wholeSeconds(seconds)],
        ...[toSceneRecSource(scene), scene],
        ...[localfile, bytes, peaks, isNew.unread, Number(autoTranscribe)],
        mergedFrom ? JSON.stringify(mergedFrom) : null,
      ],
    ],
    copyStatement(id, 'phone', {
      status: 'verified',
      ...(master ?? { bytes, sha256: sha256From(sha256) }),
    }),
  ];
}
