import type { Setting } from '@linnet/contract';
import type { CodeName } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import {
  cloudSetting,
  filterSetting,
  languageSetting,
  storageSetting,
  vocabularySetting,
  voiceSetting,
} from '@linnet/contract/statuses';
import { toVocabularyEntry } from '@linnet/contract/vocabulary';
import type { Queries, Row, Transaction } from '../../db/database.ts';

/** Setting values, keyed by group and key. */
export type Settings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Default settings. All of them are switches with the value '0' or '1'. */
const defaultSettings: Settings = {
  [storageSetting.group]: { local: '1', app: '1', cloud: '1' },
  [cloudSetting.group]: { auto_sync: '1', wifi_only: '0' },
  [voiceSetting.group]: { [voiceSetting.key]: '0' },
};

/** Reads an account's settings, including defaults. */
export async function readSettings(queries: Queries, accountId: string): Promise<Settings> {
  return toSettings(await readStoredSettings(queries, accountId));
}

/** Reads an account's stored settings, without defaults. */
export function readStoredSettings(queries: Queries, accountId: string) {
  return queries
    .selectFrom('settings')
    .select(['group_name', 'config_key', 'config_value', 'since', 'changed_at', 'rev'])
    .where('account_id', '=', accountId)
    .orderBy('group_name')
    .orderBy('config_key')
    .execute();
}

/**
 * Reads the vocabulary for recognizing a recording: the recording's own words, followed by the account's entries,
 * latest first.
 */
export async function readVocabulary(
  queries: Queries,
  accountId: string,
  clientFlag: string,
): Promise<string[]> {
  const recording = await queries
    .selectFrom('recordings')
    .select('words')
    .where('account_id', '=', accountId)
    .where('client_flag', '=', clientFlag)
    .executeTakeFirst();
  const entries = await queries
    .selectFrom('settings')
    .select('config_key')
    .where('account_id', '=', accountId)
    .where('group_name', '=', vocabularySetting.group)
    .where('config_value', '=', vocabularySetting.values.listed)
    .orderBy('changed_at', 'desc')
    .orderBy('config_key')
    .execute();
  const listed = entries.map(({ config_key }) => config_key);
  return [...new Set([...(recording?.words ?? []), ...listed])];
}

/** Merges stored settings with the defaults. */
export function toSettings(stored: readonly Setting[]): Settings {
  return stored.reduce(withSetting, defaultSettings);
}

/** Returns a copy of the settings with one setting changed. */
export function withSetting(
  settings: Settings,
  { group_name: group, config_key: key, config_value: value }: Setting,
): Settings {
  return { ...settings, [group]: { ...settings[group], [key]: value } };
}

/** Validates a change to a setting. Returns the error code, or null if the change is valid. */
export function validateSetting(settings: Settings, setting: Setting): CodeName | null {
  const { group_name: group, config_key: key, config_value: value } = setting;
  // Always allow the language: signing in stores it and must succeed even if the account has too many settings.
  if (group === languageSetting.group && key === languageSetting.key) return null;
  if (group === vocabularySetting.group) return validateEntry(settings[group] ?? {}, key, value);
  if (group === filterSetting.group) return validateFilter(settings[group] ?? {}, key, value);
  const isSwitch =
    Object.hasOwn(defaultSettings, group) && Object.hasOwn(defaultSettings[group] ?? {}, key);
  if (isSwitch && value !== '0' && value !== '1') return 'badRequest';
  const updated = withSetting(settings, setting);
  if (countSettings(updated) > limits.setting.settings) return 'badRequest';
  const locations = Object.values(storageSetting.keys);
  const isEverythingOff = locations.every(
    (location) => updated[storageSetting.group]?.[location] === '0',
  );
  return group === storageSetting.group && isEverythingOff ? 'noStorageLocation' : null;
}

/**
 * Validates a change to the vocabulary. Returns the error code, or null if the change is valid.
 * @param stored the stored values, keyed by entry
 */
function validateEntry(
  stored: Readonly<Record<string, string>>,
  entry: string,
  value: string,
): CodeName | null {
  const knownValues: readonly string[] = Object.values(vocabularySetting.values);
  if (toVocabularyEntry(entry) !== entry || !knownValues.includes(value)) return 'badRequest';
  const { listed } = vocabularySetting.values;
  const values = Object.values({ ...stored, [entry]: value });
  const listedCount = values.filter((each) => each === listed).length;
  const isTooLong = value === listed && listedCount > limits.vocabulary.entries;
  return isTooLong || values.length > limits.vocabulary.stored ? 'badRequest' : null;
}

/**
 * Validates a change to the saved filters. Returns the error code, or null if the change is valid.
 * @param stored the stored values, keyed by filter ID, including the order
 */
function validateFilter(
  stored: Readonly<Record<string, string>>,
  id: string,
  value: string,
): CodeName | null {
  const { [filterSetting.order]: _order, ...filters } = { ...stored, [id]: value };
  const count = Object.values(filters).filter((each) => each !== '').length;
  // Deleting and reordering filters must succeed even if there are too many.
  const isTooMany = value !== '' && id !== filterSetting.order && count > limits.filters.count;
  const isNew = !Object.hasOwn(stored, id);
  return isTooMany || (isNew && Object.keys(stored).length >= limits.filters.stored)
    ? 'badRequest'
    : null;
}

/** Stores settings. Each setting must occur only once. */
export async function writeSettings(
  trx: Transaction,
  accountId: string,
  settings: readonly Omit<Row<'settings'>, 'account_id'>[],
): Promise<void> {
  await trx
    .insertInto('settings')
    .values(settings.map((setting) => ({ account_id: accountId, ...setting })))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'group_name', 'config_key']).doUpdateSet((excluded) => ({
        config_value: excluded.ref('excluded.config_value'),
        since: excluded.ref('excluded.since'),
        changed_at: excluded.ref('excluded.changed_at'),
        rev: excluded.ref('excluded.rev'),
      })),
    )
    .execute();
}

/** Counts settings, except for the vocabulary and the saved filters, which have separate limits. */
const countSettings = ({
  [vocabularySetting.group]: _vocabulary,
  [filterSetting.group]: _filters,
  ...settings
}: Settings) => Object.values(settings).reduce((sum, group) => sum + Object.keys(group).length, 0);
