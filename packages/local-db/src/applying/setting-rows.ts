import type { Setting } from '@linnet/contract';
import type { Statement } from '../database.ts';
import { nowSql, sinceSql } from '../statements.ts';
import type { PendingOperations } from './pending.ts';

/** Returns the statement that stores a setting confirmed by the server. */
export function applySetting(
  uid: string,
  { group_name, config_key, config_value }: Setting,
  pending: PendingOperations,
): Statement {
  const shown = pending.setting(group_name, config_key) ?? config_value;
  return [
    `insert into setting (uid, group_name, config_key, config_value, base, since)
     values (?, ?, ?, ?, ?, ${nowSql}) on conflict (uid, group_name, config_key)
     do update set since = ${sinceSql}, config_value = excluded.config_value, base = excluded.base`,
    [uid, group_name, config_key, shown, config_value],
  ];
}

/** Returns the statements that set a setting to its latest pending value or else to the confirmed one. */
export function settleSetting(
  uid: string,
  { group_name, config_key }: Pick<Setting, 'group_name' | 'config_key'>,
  pending: PendingOperations,
): Statement[] {
  const settingKey = [uid, group_name, config_key];
  const where = 'where uid = ? and group_name = ? and config_key = ?';
  const value = pending.setting(group_name, config_key);
  if (value !== undefined) {
    return [
      [
        `update setting set since = iif(config_value = ?, since, ${nowSql}), config_value = ? ${where}`,
        [value, value, ...settingKey],
      ],
    ];
  }
  return [
    [`delete from setting ${where} and base is null`, settingKey],
    [
      `update setting set since = iif(config_value = base, since, ${nowSql}), config_value = base ${where}`,
      settingKey,
    ],
  ];
}
