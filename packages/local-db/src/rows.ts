import type {
  Copies,
  CopyState,
  LocalRecord,
  QueuedRecord,
  RecordDetail,
  RecordPatch,
  RecordSummary,
  RecordWork,
} from '@linnet/sync';
import type { SqlRow, SqlValue } from './database.ts';

/** How a column holds a field: as it is, or as JSON text. */
type Kind = 'plain' | 'json';

/** The specification's columns, with how they are held. Column and field have the same name. */
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
  content: 'json',
  brief: 'plain',
  keywords: 'json',
  localfile: 'plain',
  local_noise_file: 'plain',
  server_url: 'plain',
  mind_pic_url: 'plain',
  mind_src_url: 'plain',
  markers: 'json',
  sn: 'plain',
  is_new: 'plain',
  is_del: 'plain',
} as const satisfies Record<keyof LocalRecord, Kind>;

/** Too large, or of no use, for a list. */
const detailOnly = ['content', 'summary_json', 'markers'] as const;

/** Copies of a record as one JSON object, in the same row. */
const copiesSql = `(select json_group_object(place, json_object('status', status, 'bytes', bytes, 'sha256', sha256))
  from copy where copy.record_id = record.id) as copies`;

const workSql = `audio_bytes, task_id, task_language, wanted_language, trouble, ${copiesSql}`;

const allColumns = Object.keys(recordColumns) as (keyof LocalRecord)[];
const listColumns = allColumns.filter((name) => !(detailOnly as readonly string[]).includes(name));

export const selectDetail = `select ${allColumns.join(', ')}, peaks, ${workSql} from record`;
export const selectSummary = `select ${listColumns.join(', ')}, peaks, ${workSql} from record`;
export const selectWork = `select id, ${workSql} from record`;
export const selectQueued = `select ${listColumns.join(', ')}, ${workSql} from record`;

const absent: CopyState = { status: 'absent' };

function readFields(row: SqlRow, names: readonly (keyof LocalRecord)[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      recordColumns[name] === 'json' ? JSON.parse(row[name] as string) : row[name],
    ]),
  );
}

export function readWork(row: SqlRow): RecordWork {
  const copies = JSON.parse(row.copies as string) as Partial<Copies>;
  return {
    audioBytes: row.audio_bytes as number,
    task:
      row.task_id === null
        ? null
        : { id: row.task_id as string, language: row.task_language as string },
    trouble: row.trouble === null ? null : JSON.parse(row.trouble as string),
    copies: {
      recorder: copies.recorder ?? absent,
      phone: copies.phone ?? absent,
      cloud: copies.cloud ?? absent,
    },
  };
}

const readPeaks = (row: SqlRow) => (row.peaks as Uint8Array | null) ?? new Uint8Array();

export function readSummary(row: SqlRow): RecordSummary {
  return {
    ...readFields(row, listColumns),
    ...readWork(row),
    peaks: readPeaks(row),
  } as RecordSummary;
}

export function readDetail(row: SqlRow): RecordDetail {
  return {
    ...readFields(row, allColumns),
    ...readWork(row),
    peaks: readPeaks(row),
  } as RecordDetail;
}

export function readQueued(row: SqlRow): QueuedRecord {
  return {
    ...readFields(row, listColumns),
    ...readWork(row),
    wantedLanguage: row.wanted_language as string | null,
  } as QueuedRecord;
}

/** Fields whose change the owner would call an edit: `update_date` follows them, and nothing else. */
const editedFields: ReadonlySet<string> = new Set([
  'title',
  'tags',
  'content',
  'markers',
  'is_del',
]);

/** `column = ?` parts and their values for a patch; copies are written elsewhere. */
export function assignments(
  patch: RecordPatch,
  now: string,
): { columns: string[]; values: SqlValue[] } {
  const columns: string[] = [];
  const values: SqlValue[] = [];
  const set = (column: string, value: SqlValue) => {
    columns.push(`${column} = ?`);
    values.push(value);
  };
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (name in recordColumns) {
      const json = recordColumns[name as keyof LocalRecord] === 'json';
      set(name, json ? JSON.stringify(value) : (value as SqlValue));
    }
  }
  if (patch.audioBytes !== undefined) set('audio_bytes', patch.audioBytes);
  if (patch.peaks !== undefined) set('peaks', patch.peaks);
  if (patch.wantedLanguage !== undefined) set('wanted_language', patch.wantedLanguage);
  if (patch.trouble !== undefined) {
    set('trouble', patch.trouble === null ? null : JSON.stringify(patch.trouble));
  }
  if (patch.task !== undefined) {
    set('task_id', patch.task?.id ?? null);
    set('task_language', patch.task?.language ?? null);
  }
  if (Object.keys(patch).some((name) => editedFields.has(name))) set('update_date', now);
  return { columns, values };
}
