import type { CopyReports, RecordPatch } from '@linnet/sync';
import type { Statement } from './database.ts';
import { patchCells } from './rows.ts';

/** Returns a list of `count` SQL placeholders. */
export const placeholders = (count: number) => Array(count).fill('?').join(', ');

/** An SQL expression for the current time (ISO 8601). */
export const nowSql = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;

/** An SQL expression for the `since` column when upserting a setting. The time changes only if the value does. */
export const sinceSql = 'iif(config_value = excluded.config_value, since, excluded.since)';

/** Returns the statement that stores a copy's state. Has no effect on deleted records. */
export function copyStatement<Place extends keyof CopyReports>(
  id: string,
  place: Place,
  copy: CopyReports[Place],
): Statement {
  return [
    `insert into copy (record_id, place, status, bytes, sha256, since)
     select ?, ?, ?, ?, ?, ${nowSql} where exists (select 1 from record where id = ?)
     on conflict (record_id, place) do update set
       since = iif(status = excluded.status and sha256 = excluded.sha256, since, excluded.since),
       status = excluded.status, bytes = excluded.bytes, sha256 = excluded.sha256`,
    [
      id,
      place,
      copy.status,
      copy.status === 'absent' ? 0 : copy.bytes,
      'sha256' in copy ? (copy.sha256 ?? '') : '',
      id,
    ],
  ];
}

/** Returns the statement that stores where and why a copy was deleted. Has no effect on deleted records. */
function deletionStatement(id: string, deletion: NonNullable<RecordPatch['deletion']>): Statement {
  const { place, because, survivor } = deletion;
  return [
    `insert into deletion (record_id, place, because, survivor, sha256, at)
     select ?, ?, ?, ?, ?, ${nowSql} where exists (select 1 from record where id = ?)`,
    [id, place, because, survivor?.place ?? null, survivor?.sha256 ?? null, id],
  ];
}

export function updateStatements(id: string, patch: RecordPatch): Statement[] {
  const cells = patchCells(patch);
  const statements: Statement[] = [];
  if (cells.length > 0) {
    const assignments = cells.map(([column]) => `${column} = ?`).join(', ');
    const values = cells.map(([, value]) => value);
    statements.push([`update record set ${assignments} where id = ?`, [...values, id]]);
  }
  const { recorder, phone, cloud } = patch.copies ?? {};
  if (recorder) statements.push(copyStatement(id, 'recorder', recorder));
  if (phone) statements.push(copyStatement(id, 'phone', phone));
  if (cloud) statements.push(copyStatement(id, 'cloud', cloud));
  if (patch.deletion) statements.push(deletionStatement(id, patch.deletion));
  return statements;
}

/**
 * Returns the statements that permanently delete a recording and create its tombstone. The audio files are deleted
 * separately.
 */
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

/**
 * An SQL condition for an account's paragraphs, including those received before their record. Contains two placeholders
 * for the account ID.
 */
export const accountParagraphs = '(uid = ? or record_id in (select id from record where uid = ?))';

/** Returns the statements that delete all rows of a closed account. */
export function accountDeletionStatements(uid: string): Statement[] {
  return [
    [`delete from paragraph where ${accountParagraphs}`, [uid, uid]],
    ...[
      // Delete the vault before the records, so that their files stay in the folder.
      'vault',
      ...['early_task', 'operation', 'refused_edit', 'cursor', 'setting', 'tombstone'],
      ...['folder', 'record'],
    ].map((table): Statement => [`delete from ${table} where uid = ?`, [uid]]),
  ];
}
