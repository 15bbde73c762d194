/**
 * Maps rows of the tables `record`, `copy` and `deletion` to the record store's types and back. Includes the SQL that
 * selects these rows, to keep the selected columns and their readers together.
 */
import type { AutomaticMove, MindNode, Place } from '@linnet/contract';
import { autoLanguage, languages, type SpokenLanguage } from '@linnet/contract/languages';
import { recSource, scenes } from '@linnet/contract/statuses';
import type {
  AudioVersion,
  CopyPlace,
  CopyState,
  DeletionReason,
  LocalRecord,
  MergedPart,
  NamedRecord,
  PhoneRetention,
  Problem,
  QueuedRecord,
  Receipt,
  RecordDetail,
  RecordPatch,
  RecordSummary,
  RecordWork,
  StoredCopy,
  TranscriptState,
} from '@linnet/sync';
import { compareCopies, isLocal, isTrans, parseSha256, sha256From } from '@linnet/sync';
import { isSendable } from './applying/pending.ts';
import { bytes, json, number, oneOf, orNull, type Reader, text, textOrNull } from './columns.ts';
import type { SqlRow, SqlValue } from './database.ts';
import { shownColumn, shownSql } from './speaker-names/naming.ts';

type Column = Exclude<keyof LocalRecord, 'content'>;

const flag = oneOf(0, 1);
const tags = languages.map(({ bcp47 }) => bcp47);
export const readLanguage: Reader<SpokenLanguage> = oneOf(...tags, autoLanguage);

/**
 * Readers for the columns defined by the specification. Each column has the name of its field. `content` comes from the
 * `paragraph` table instead.
 */
export const recordColumns: { readonly [Name in Column]: Reader<LocalRecord[Name]> } = {
  id: text,
  title: text,
  ai_title: text,
  uid: text,
  create_date: text,
  update_date: text,
  record_time: number,
  is_local: oneOf(...Object.values(isLocal)),
  server_id: textOrNull,
  device_file_id: orNull(number),
  summary: text,
  summary_json: textOrNull,
  is_trans: oneOf(...Object.values(isTrans)),
  process: number,
  rec_source: oneOf(...Object.values(recSource)),
  scene: oneOf(...scenes),
  tags: json,
  words: json,
  brief: text,
  keywords: json,
  localfile: text,
  local_noise_file: text,
  server_url: text,
  mind_pic_url: text,
  mind_src_url: text,
  markers: json,
  notes: json,
  place: orNull<Place>(json),
  language: orNull(readLanguage),
  speakers: json,
  proposals: json,
  ticks: json,
  unplaced: json,
  mind_map: orNull<readonly MindNode[]>(json),
  xmind_json: orNull<readonly MindNode[]>(json),
  sn: text,
  is_new: flag,
  is_del: flag,
  is_protected: flag,
  is_archived: flag,
  binned_by: orNull<AutomaticMove>(json),
};

/** Reads the scene of a recording that wasn't imported. */
export const recordedScene = oneOf('call', 'meeting', 'note');

/**
 * The columns that lists display and sort by. Read for up to ten thousand records at startup, and only for changed
 * records afterwards.
 */
const listColumns = [
  'id',
  'title',
  'ai_title',
  'create_date',
  'update_date',
  'record_time',
  'is_local',
  'device_file_id',
  'is_trans',
  'process',
  'scene',
  'sn',
  'tags',
  'speakers',
  'is_new',
  'is_del',
  'is_protected',
  'is_archived',
  'binned_by',
] as const satisfies readonly (keyof RecordSummary & Column)[];

/** The columns of the upload and transcription queue. */
const queueColumns = [
  'id',
  'title',
  'create_date',
  'record_time',
  'server_id',
  'scene',
  'sn',
  'is_trans',
  'process',
  'language',
] as const satisfies readonly (keyof QueuedRecord & Column)[];

/** The columns that name a recording. */
const nameColumns = [
  'id',
  'title',
  'ai_title',
  'create_date',
  'is_del',
  'is_archived',
] as const satisfies readonly (keyof NamedRecord & Column)[];

/** The length of an opening in characters. Longer than a preview, because many characters may be spaces. */
const OPENING_LENGTH = 240;

/** An SQL expression for a record's copies as a JSON object. */
const copiesSql = `(select json_group_object(place, json_object('status', status, 'bytes', bytes, 'sha256', sha256))
  from copy where copy.record_id = record.id) as copies`;

const workSql = `audio_bytes, auto_transcribe, kept_here, task_id, task_language, wanted_language, wanted_audio, trouble, ${copiesSql}`;

const allColumns = Object.keys(recordColumns) as Column[];

const openingSql = `substr(iif(brief <> '', ${shownSql('brief')}, ${shownSql('summary')}), 1,
  ${OPENING_LENGTH}) as opening`;

export const selectDetail = `select ${allColumns.map(shownColumn).join(', ')}, continues, merged_from, results_task, peaks, ${workSql} from record`;
export const selectSummary = `select ${listColumns.map(shownColumn).join(', ')}, ${openingSql}, peaks, audio_bytes, kept_here, trouble, binned_at, task_id,
  ${copiesSql} from record`;
export const selectNamed = `select server_id, ${nameColumns.map(shownColumn).join(', ')} from record`;
export const selectWork = `select id, ${workSql} from record`;
export const selectQueued = `select ${queueColumns.map(shownColumn).join(', ')}, merged_from, ${workSql},
  exists (select 1 from json_each(merged_from) as part
    join operation on operation.record_id = part.value ->> '$.client_flag'
    where ${isSendable}) as unsent_parts from record`;

const readPlace = oneOf<CopyPlace>('recorder', 'phone', 'cloud');
const readReason = oneOf<DeletionReason>('storage_setting', 'asked');
const readKeptHere = oneOf<PhoneRetention>('auto', 'always', 'never');
const readAudioVersion = oneOf<AudioVersion>('original', 'cleaner');

const absentCopy = { status: 'absent' } as const;

/** Reads columns of the specification. */
export function readFields<Name extends Column>(
  row: SqlRow,
  names: readonly Name[],
): Pick<LocalRecord, Name> {
  const fields: Partial<Record<Name, unknown>> = {};
  for (const name of names) fields[name] = recordColumns[name](row[name]);
  return fields as Pick<LocalRecord, Name>;
}

export const readNamed = (row: SqlRow): NamedRecord => readFields(row, nameColumns);

/** Returns a field's column value. Lists and objects are stored as JSON. */
export function columnValue(value: LocalRecord[Column]): SqlValue {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

export function readWork(row: SqlRow): RecordWork {
  return {
    ...readCopies(row),
    task:
      row.task_id === null ? null : { id: text(row.task_id), language: text(row.task_language) },
    requestedLanguage: textOrNull(row.wanted_language),
  };
}

/** Reads the sync state that both lists and details need. */
function readCopies(
  row: SqlRow,
): Pick<RecordWork, 'audioBytes' | 'copies' | 'problem' | 'phoneRetention'> {
  const rows = json<Partial<Record<CopyPlace, CopyRow>>>(row.copies);
  const { cloud } = rows;
  return {
    audioBytes: number(row.audio_bytes),
    phoneRetention: readKeptHere(row.kept_here),
    problem: orNull<Problem>(json)(row.trouble),
    copies: compareCopies({
      recorder: readCopy(rows.recorder),
      phone: readCopy(rows.phone),
      cloud: cloud?.status === 'stored' ? storedCopy(cloud) : absentCopy,
    }),
  };
}

/** A row of the `copy` table, as returned by {@link copiesSql}. */
type CopyRow = {
  readonly status: CopyState['status'];
  readonly bytes: number;
  readonly sha256: string;
};

const storedCopy = ({ bytes, sha256 }: CopyRow): StoredCopy => ({
  status: 'stored',
  bytes,
  sha256: parseSha256(sha256),
});

function readCopy(row: CopyRow | undefined): CopyState {
  const { status = 'absent', bytes = 0, sha256 = '' } = row ?? {};
  switch (status) {
    case 'absent':
      return absentCopy;
    case 'stored':
      return storedCopy({ status, bytes, sha256 });
    case 'verified':
      return { status, bytes, sha256: sha256From(sha256) };
    default:
      return { status, bytes };
  }
}

/** Selects when each copy of a record reached its current status. */
export const selectSince = 'select place, since from copy where record_id = ?';
export const selectDeletions =
  'select place, because, survivor, sha256, at from deletion where record_id = ? order by seq';

/**
 * Reads a record's receipt.
 * @param since the rows of {@link selectSince}
 * @param deletions the rows of {@link selectDeletions}
 */
export function readReceipt(since: readonly SqlRow[], deletions: readonly SqlRow[]): Receipt {
  const getSince = (place: CopyPlace) => {
    const row = since.find((row) => row.place === place);
    return row ? text(row.since) || null : null;
  };
  return {
    since: { recorder: getSince('recorder'), phone: getSince('phone'), cloud: getSince('cloud') },
    deletions: deletions.map((row) => {
      const sha256 = parseSha256(textOrNull(row.sha256));
      return {
        place: readPlace(row.place),
        because: readReason(row.because),
        survivor: sha256 && { place: readPlace(row.survivor), sha256 },
        at: text(row.at),
      };
    }),
  };
}

/** Shared by all records without peaks, to save memory with ten thousand records. */
const noPeaks = new Uint8Array();

const readPeaks = (row: SqlRow) => orNull(bytes)(row.peaks) ?? noPeaks;

export function readSummary(row: SqlRow): RecordSummary {
  return {
    ...readFields(row, listColumns),
    ...readCopies(row),
    opening: text(row.opening),
    binnedAt: textOrNull(row.binned_at),
    taskId: textOrNull(row.task_id),
    peaks: readPeaks(row),
  };
}

export function readDetail(
  row: SqlRow,
  { content, receipt }: Pick<RecordDetail, 'content' | 'receipt'>,
): RecordDetail {
  return {
    ...readFields(row, allColumns),
    ...readWork(row),
    content,
    receipt,
    transcript: readTranscriptState(row),
    continues: textOrNull(row.continues),
    autoTranscribe: row.auto_transcribe === 1,
    mergedFrom: orNull<readonly MergedPart[]>(json)(row.merged_from),
    peaks: readPeaks(row),
  };
}

function readTranscriptState({ results_task, is_trans }: SqlRow): TranscriptState {
  if (results_task !== null) return 'received';
  return is_trans === isTrans.translated ? 'arriving' : 'none';
}

export function readQueued(row: SqlRow): QueuedRecord {
  return {
    ...readFields(row, queueColumns),
    ...readWork(row),
    requestedAudio: readAudioVersion(row.wanted_audio),
    autoTranscribe: row.auto_transcribe === 1,
    mergedFrom: orNull<readonly MergedPart[]>(json)(row.merged_from),
    hasUnsentParts: row.unsent_parts === 1,
  };
}

/** A column and its value. */
export type Cell = readonly [column: string, value: SqlValue];

/** Returns the columns that a patch changes. Copies are stored in a separate table. */
export function patchCells(patch: RecordPatch): Cell[] {
  const cells: Cell[] = [];
  const set = (column: string, value: SqlValue) => cells.push([column, value]);
  const fields: Partial<LocalRecord> = patch;
  for (const name of allColumns) {
    const value = fields[name];
    if (value !== undefined) set(name, columnValue(value));
  }
  if (patch.phoneRetention !== undefined) set('kept_here', patch.phoneRetention);
  if (patch.autoTranscribe !== undefined) set('auto_transcribe', Number(patch.autoTranscribe));
  if (patch.audioBytes !== undefined) set('audio_bytes', patch.audioBytes);
  if (patch.peaks !== undefined) set('peaks', patch.peaks);
  if (patch.requestedLanguage !== undefined) set('wanted_language', patch.requestedLanguage);
  if (patch.requestedAudio !== undefined) set('wanted_audio', patch.requestedAudio);
  if (patch.continues !== undefined) set('continues', patch.continues);
  if (patch.mergedFrom !== undefined) set('merged_from', patch.mergedFrom);
  if (patch.problem !== undefined) {
    set('trouble', patch.problem === null ? null : JSON.stringify(patch.problem));
  }
  if (patch.task !== undefined) {
    set('task_id', patch.task?.id ?? null);
    set('task_language', patch.task?.language ?? null);
  }
  return cells;
}
