import type { Setting } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { cloudSetting, storageSetting } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Queries, Transaction } from '../../db/database.ts';

/** Values by key by group. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What holds until an owner changes it. All of them are switches: '0' or '1'. */
const defaultSettings: Settings = {
  [storageSetting.group]: { local: '1', app: '1', cloud: '1' },
  [cloudSetting.group]: { auto_sync: '1', wifi_only: '0' },
};

/** An account's settings, the defaults filled in. */
export async function readSettings(queries: Queries, accountId: string): Promise<Settings> {
  const rows = await queries
    .selectFrom('settings')
    .select(['group_name', 'config_key', 'config_value'])
    .where('account_id', '=', accountId)
    .orderBy('group_name')
    .orderBy('config_key')
    .execute();
  return rows.reduce(changed, defaultSettings);
}

/** The settings with one of them changed. */
export function changed(
  settings: Settings,
  { group_name: group, config_key: key, config_value: value }: Setting,
): Settings {
  return { ...settings, [group]: { ...settings[group], [key]: value } };
}

/** Why a setting cannot be changed so; null when it can. */
export function refusalOf(settings: Settings, setting: Setting): CodeName | null {
  const { group_name: group, config_key: key, config_value: value } = setting;
  const isSwitch =
    Object.hasOwn(defaultSettings, group) && Object.hasOwn(defaultSettings[group] ?? {}, key);
  if (isSwitch && value !== '0' && value !== '1') return 'badRequest';
  const after = changed(settings, setting);
  if (countOf(after) > limits.setting.settings) return 'badRequest';
  const places = Object.values(storageSetting.keys);
  const nowhere = places.every((place) => after[storageSetting.group]?.[place] === '0');
  return group === storageSetting.group && nowhere ? 'noStorageLocation' : null;
}

export async function writeSetting(
  trx: Transaction,
  accountId: string,
  { group_name, config_key, config_value }: Setting,
  { rev, now }: { readonly rev: number; readonly now: Date },
): Promise<void> {
  const since = defaultSettings[group_name]?.[config_key] === config_value ? 0 : rev;
  await trx
    .insertInto('settings')
    .values({
      ...{ account_id: accountId, group_name, config_key, config_value },
      ...{ since, changed_at: now, rev },
    })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'group_name', 'config_key']).doUpdateSet({
        config_value,
        since: sql`case when settings.config_value = ${config_value} then settings.since else ${rev} end`,
        changed_at: sql`case when settings.config_value = ${config_value} then settings.changed_at else excluded.changed_at end`,
        rev,
      }),
    )
    .execute();
}

const countOf = (settings: Settings) =>
  Object.values(settings).reduce((sum, group) => sum + Object.keys(group).length, 0);
