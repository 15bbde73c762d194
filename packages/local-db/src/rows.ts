import type {
  CopyPlace,
  CopyState,
  DeletionReason,
  Editable,
  KeptHere,
  LocalRecord,
  QueuedRecord,
  Receipt,
  RecordDetail,
  RecordPatch,
  RecordSummary,
  RecordWork,
  SoundVersion,
  StoredCopy,
} from '@linnet/sync';
import { asSha256, compareCopies, isDel, sha256From } from '@linnet/sync';
import type { SqlRow, SqlValue, Statement } from './database.ts';

/** How a column holds a field: as it is, or as JSON text; null is null in both. */
type Kind = 'plain' | 'json';

type Column = Exclude<keyof LocalRecord, 'content'>;

/**
 * The specification's columns, with how they are held. Column and field have the same name; `content` is
 * read from rows of its own.
 */
export const recordColumns = {
  id: 'plain',
  title: 'plain',
  ai_title: 'plain',
  uid: 'plain',
  create_date: 'plain',
  update_date: 'plain',
  record_time: 'plain',
  is_local: 'plain',
  server_id: 'plain',
  device_file_id: 'plain',
  summary: 'plain',
  summary_json: 'plain',
  is_trans: 'plain',
  process: 'plain',
  rec_source: 'plain',
  tags: 'json',
  brief: 'plain',
  keywords: 'json',
  localfile: 'plain',
  local_noise_file: 'plain',
  server_url: 'plain',
  mind_pic_url: 'plain',
  mind_src_url: 'plain',
  markers: 'json',
  place: 'json',
  speakers: 'json',
  ticks: 'json',
  mind_map: 'json',
  xmind_json: 'json',
  sn: 'plain',
  is_new: 'plain',
  is_del: 'plain',
} as const satisfies Record<Column, Kind>;

/** What a list shows and sorts by: of ten thousand records it is read at the start, and of each that changed again. */
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
  'rec_source',
  'sn',
  'tags',
  'is_new',
  'is_del',
] as const satisfies readonly (keyof RecordSummary & Column)[];

/** Of a record that may have to be uploaded or transcribed. */
const queueColumns = [
  'id',
  'title',
  'create_date',
  'record_time',
  'server_id',
  'rec_source',
  'sn',
  'is_trans',
  'process',
] as const satisfies readonly (keyof QueuedRecord & Column)[];

/** Characters of the opening of a text: more than a preview shows, in case many of them are spaces. */
const OPENING = 240;

/** Copies of a record as one JSON object, in the same row. */
const copiesSql = `(select json_group_object(place, json_object('status', status, 'bytes', bytes, 'sha256', sha256))
  from copy where copy.record_id = record.id) as copies`;

const workSql = `audio_bytes, auto_transcribe, kept_here, task_id, task_language, wanted_language, wanted_audio, trouble, ${copiesSql}`;

const allColumns = Object.keys(recordColumns) as Column[];

const openingSql = `substr(iif(brief <> '', brief, summary), 1, ${OPENING}) as opening`;

export const selectDetail = `select ${allColumns.join(', ')}, peaks, ${workSql} from record`;
export const selectSummary = `select ${listColumns.join(', ')}, ${openingSql}, peaks, audio_bytes, kept_here, trouble, binned_at,
  ${copiesSql} from record`;
export const selectWork = `select id, ${workSql} from record`;
export const selectQueued = `select ${queueColumns.join(', ')}, ${workSql} from record`;

const absent = { status: 'absent' } as const;

function readFields(row: SqlRow, names: readonly Column[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of names) {
    const value = row[name] as SqlValue;
    const isJson = recordColumns[name] === 'json' && value !== null;
    fields[name] = isJson ? JSON.parse(value as string) : value;
  }
  return fields;
}

/** The value of a column that holds a field. */
function columnValue(name: Column, value: unknown): SqlValue {
  const isJson = recordColumns[name] === 'json' && value !== null;
  return isJson ? JSON.stringify(value) : (value as SqlValue);
}

export function readWork(row: SqlRow): RecordWork {
  return {
    ...readStanding(row),
    task:
      row.task_id === null
        ? null
        : { id: row.task_id as string, language: row.task_language as string },
    wantedLanguage: row.wanted_language as string | null,
  };
}

/** What lies where, and what stands in the way. */
function readStanding(
  row: SqlRow,
): Pick<RecordWork, 'audioBytes' | 'copies' | 'trouble' | 'keptHere'> {
  const rows = JSON.parse(row.copies as string) as Partial<Record<CopyPlace, CopyRow>>;
  const { cloud } = rows;
  return {
    audioBytes: row.audio_bytes as number,
    keptHere: row.kept_here as KeptHere,
    trouble: row.trouble === null ? null : JSON.parse(row.trouble as string),
    copies: compareCopies({
      recorder: readCopy(rows.recorder),
      phone: readCopy(rows.phone),
      cloud: cloud?.status === 'stored' ? stored(cloud) : absent,
    }),
  };
}

/** A row of the table `copy`, as {@link copiesSql} gives it. */
type CopyRow = {
  readonly status: CopyState['status'];
  readonly bytes: number;
  readonly sha256: string;
};

const stored = ({ bytes, sha256 }: CopyRow): StoredCopy => ({
  status: 'stored',
  bytes,
  sha256: asSha256(sha256),
});

function readCopy(row: CopyRow | undefined): CopyState {
  const { status = 'absent', bytes = 0, sha256 = '' } = row ?? {};
  switch (status) {
    case 'absent':
      return absent;
    case 'stored':
      return stored({ status, bytes, sha256 });
    case 'verified':
      return { status, bytes, sha256: sha256From(sha256) };
    default:
      return { status, bytes };
  }
}

/** The statement that reads when each copy came to what it is. */
export const selectSince = 'select place, since from copy where record_id = ?';
export const selectDeletions =
  'select place, because, survivor, sha256, at from deletion where record_id = ? order by seq';

/** A record's receipt. @param since rows of {@link selectSince}; `deletions` likewise */
export function readReceipt(since: readonly SqlRow[], deletions: readonly SqlRow[]): Receipt {
  const of = (place: CopyPlace) =>
    (since.find((row) => row.place === place)?.since as string | undefined) || null;
  return {
    since: { recorder: of('recorder'), phone: of('phone'), cloud: of('cloud') },
    deletions: deletions.map((row) => {
      const sha256 = asSha256(row.sha256 as string | null);
      return {
        place: row.place as CopyPlace,
        because: row.because as DeletionReason,
        survivor: sha256 && { place: row.survivor as CopyPlace, sha256 },
        at: row.at as string,
      };
    }),
  };
}

/** Of all that are not on this phone, which may be ten thousand. */
const noPeaks = new Uint8Array();

const readPeaks = (row: SqlRow) => (row.peaks as Uint8Array | null) ?? noPeaks;

export function readSummary(row: SqlRow): RecordSummary {
  return {
    ...readFields(row, listColumns),
    ...readStanding(row),
    opening: row.opening,
    binnedAt: row.binned_at,
    peaks: readPeaks(row),
  } as RecordSummary;
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
    peaks: readPeaks(row),
  } as RecordDetail;
}

export function readQueued(row: SqlRow): QueuedRecord {
  return {
    ...readFields(row, queueColumns),
    ...readWork(row),
    wantedAudio: row.wanted_audio as SoundVersion,
    autoTranscribe: row.auto_transcribe === 1,
  } as QueuedRecord;
}

const editableColumns = [
  'title',
  'tags',
  'place',
  'speakers',
  'markers',
  'ticks',
  'mind_map',
  'is_del',
] as const satisfies readonly (keyof Editable)[];

export const selectEditable = `${editableColumns.join(', ')}, base`;

/** What its owner may change of a record, as it is shown, and as it is without what the server was not told. */
export function readEditable(row: SqlRow): { shown: Editable; base: Editable | null } {
  return {
    shown: readFields(row, editableColumns) as Editable,
    base: row.base === null ? null : JSON.parse(row.base as string),
  };
}

/** Writes what its owner may change of a record. @param updated when it changed, and so came into the bin, ISO-8601 */
export function writeEditable(
  id: string,
  { shown, base }: { shown: Editable; base: Editable | null },
  updated: string,
): Statement {
  const columns = [...editableColumns, 'base', 'update_date'].map((name) => `${name} = ?`);
  const binned = `iif(?, iif(is_del = ${isDel.binned}, coalesce(binned_at, ?), ?), null)`;
  return [
    `update record set ${columns.join(', ')}, binned_at = ${binned} where id = ?`,
    [
      ...editableColumns.map((name) => columnValue(name, shown[name])),
      base && JSON.stringify(base),
      updated,
      ...[Number(shown.is_del === isDel.binned), updated, updated],
      id,
    ],
  ];
}

/** `column = ?` parts and their values for a patch; copies are written elsewhere. */
export function assignments(patch: RecordPatch): { columns: string[]; values: SqlValue[] } {
  const columns: string[] = [];
  const values: SqlValue[] = [];
  const set = (column: string, value: SqlValue) => {
    columns.push(`${column} = ?`);
    values.push(value);
  };
  for (const [name, value] of Object.entries(patch)) {
    if (value !== undefined && name in recordColumns) {
      set(name, columnValue(name as Column, value));
    }
  }
  if (patch.keptHere !== undefined) set('kept_here', patch.keptHere);
  if (patch.autoTranscribe !== undefined) set('auto_transcribe', Number(patch.autoTranscribe));
  if (patch.audioBytes !== undefined) set('audio_bytes', patch.audioBytes);
  if (patch.peaks !== undefined) set('peaks', patch.peaks);
  if (patch.wantedLanguage !== undefined) set('wanted_language', patch.wantedLanguage);
  if (patch.wantedAudio !== undefined) set('wanted_audio', patch.wantedAudio);
  if (patch.trouble !== undefined) {
    set('trouble', patch.trouble === null ? null : JSON.stringify(patch.trouble));
  }
  if (patch.task !== undefined) {
    set('task_id', patch.task?.id ?? null);
    set('task_language', patch.task?.language ?? null);
  }
  return { columns, values };
}
