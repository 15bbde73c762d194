import type { Copies, CopyState, RecordPatch } from '@linnet/sync';
import type { Statement } from './database.ts';
import { assignments } from './rows.ts';

/** As many `?` as there are values. */
export const marks = (count: number) => Array(count).fill('?').join(', ');

/** Where a copy of a record's audio stands; nothing for a record that is gone. */
export function copyStatement(id: string, place: keyof Copies, copy: CopyState): Statement {
  return [
    `insert into copy (record_id, place, status, bytes, sha256)
     select ?, ?, ?, ?, ? where exists (select 1 from record where id = ?)
     on conflict (record_id, place) do update set
       status = excluded.status, bytes = excluded.bytes, sha256 = excluded.sha256`,
    [
      id,
      place,
      copy.status,
      copy.status === 'absent' ? 0 : copy.bytes,
      copy.status === 'verified' ? copy.sha256 : '',
      id,
    ],
  ];
}

export function updateStatements(id: string, patch: RecordPatch): Statement[] {
  const { columns, values } = assignments(patch);
  const statements: Statement[] = [];
  if (columns.length > 0) {
    statements.push([`update record set ${columns.join(', ')} where id = ?`, [...values, id]]);
  }
  for (const [place, copy] of Object.entries(patch.copies ?? {})) {
    if (copy) statements.push(copyStatement(id, place as keyof Copies, copy));
  }
  return statements;
}

/** A recording is gone for good: its row and everything of it, but for a tombstone and perhaps audio. */
export function removeStatements(id: string, uid: string, deletedAt: string): Statement[] {
  return [
    [
      `insert into tombstone (id, uid, deleted_at, audio) values (?, ?, ?, 1)
       on conflict (id) do nothing`,
      [id, uid, deletedAt],
    ],
    ['delete from operation where record_id = ?', [id]],
    ['delete from paragraph where record_id = ?', [id]],
    ['delete from early_task where record_id = ?', [id]],
    ['delete from record where id = ?', [id]],
  ];
}

/** Paragraphs of an account, whose id is asked for twice: those that came before their record too. */
export const ownParagraphs = '(uid = ? or record_id in (select id from record where uid = ?))';

/** An account is no more: every row that is its own goes. */
export function forgetStatements(uid: string): Statement[] {
  return [
    [`delete from paragraph where ${ownParagraphs}`, [uid, uid]],
    ...['early_task', 'operation', 'cursor', 'setting', 'tombstone', 'record'].map(
      (table): Statement => [`delete from ${table} where uid = ?`, [uid]],
    ),
  ];
}
