/**
 * Writes the rows of a batch of operations. Each statement passes all its rows as a single JSON parameter, because
 * building a statement with thousands of parameters is slow.
 */
import { sql } from 'kysely';
import type { NewRow, Row, Transaction } from '../../db/database.ts';

/** The JSON columns of `recordings` that operations can change. */
const jsonColumns = [
  'tags',
  'words',
  'place',
  'speakers',
  'proposals',
  'markers',
  'notes',
  'ticks',
  'mind_map',
  'unplaced',
  'binned_by',
] as const;

/** Updates the editable columns of recordings. */
export async function updateRecordings(
  trx: Transaction,
  rows: readonly Row<'recordings'>[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ id, name, recorded_at, is_del, rev, ...row }) => {
    const jsonValues = Object.fromEntries(jsonColumns.map((column) => [column, row[column]]));
    const { language, is_archived, is_protected, binned_at, restored_at } = row;
    const flags = { is_del, is_archived, is_protected, binned_at, restored_at };
    return { id, name, recorded_at, language, rev, ...flags, ...jsonValues };
  });
  await sql`
    update recordings set name = v.name, recorded_at = v.recorded_at, language = v.language, tags = v.tags,
      words = v.words, place = v.place, speakers = v.speakers, proposals = v.proposals, markers = v.markers, notes = v.notes,
      ticks = v.ticks, mind_map = v.mind_map, unplaced = v.unplaced, is_archived = v.is_archived,
      is_protected = v.is_protected, is_del = v.is_del, binned_at = v.binned_at, restored_at = v.restored_at,
      binned_by = v.binned_by, rev = v.rev, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id uuid, name text, recorded_at timestamptz,
      language text, tags jsonb, words jsonb, place jsonb, speakers jsonb, proposals jsonb, markers jsonb, notes jsonb, ticks jsonb,
      mind_map jsonb, unplaced jsonb, is_archived smallint, is_protected smallint, is_del smallint, binned_at timestamptz,
      restored_at timestamptz, binned_by jsonb, rev bigint)
    where recordings.id = v.id`.execute(trx);
}

/** Updates the editable columns of paragraphs. */
export async function updateParagraphs(
  trx: Transaction,
  rows: readonly Row<'paragraphs'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ id, task_id, content, original, speaker, is_tag, rev }) => {
    return { id, task_id, content, original, speaker, is_tag, rev };
  });
  await sql`
    update paragraphs set content = v.content, original = v.original, speaker = v.speaker,
      is_tag = v.is_tag, rev = v.rev
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id uuid, task_id uuid,
      content text, original text, speaker text, is_tag smallint, rev bigint)
    where paragraphs.id = v.id and paragraphs.task_id = v.task_id`.execute(trx);
}

/** Inserts operations with their outcomes. */
export async function insertOperations(
  trx: Transaction,
  rows: readonly NewRow<'operations'>[],
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into operations (account_id, op_id, register, type, base_rev, at, own_at, value, created_at, rev,
      outcome, code)
    select account_id, op_id, register, type, base_rev, at, own_at, value::jsonb, created_at, rev, outcome, code
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as v(account_id uuid, op_id uuid, register text, type text,
      base_rev bigint, at timestamptz, own_at timestamptz, value text, created_at timestamptz, rev bigint,
      outcome text, code integer)`.execute(trx);
}
